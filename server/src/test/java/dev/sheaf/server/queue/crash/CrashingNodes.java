package dev.sheaf.server.queue.crash;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Nodes of which any may be down at any time, and requests to one of those that are up. Thread-safe.
final class CrashingNodes implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final long PAUSE = Duration.ofMillis(20).toNanos();

    private final AtomicReferenceArray<@Nullable String> urls;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LONGEST)
            .build();

    CrashingNodes(int count) {
        urls = new AtomicReferenceArray<>(count);
    }

    record Answer(int status, String text) {
        JsonNode json() {
            return JsonMapper.shared().readTree(text);
        }

        /// Whether asking again may help: the node ends, or is too busy.
        boolean isForNow() {
            return status >= 500 || status == 429;
        }
    }

    void up(int index, String url) {
        urls.set(index, url);
    }

    void down(int index) {
        urls.set(index, null);
    }

    private String one() {
        while (true) {
            var url = urls.get(ThreadLocalRandom.current().nextInt(urls.length()));
            if (url != null) {
                return url;
            }
            pause();
        }
    }

    static void pause() {
        LockSupport.parkNanos(PAUSE);
    }

    /// Asks one of the nodes, once; empty where nothing is known of what became of it.
    Optional<Answer> once(String method, String path, String key, @Nullable String json, String idempotency)
            throws InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(one() + path))
                .timeout(LONGEST)
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
        if (!idempotency.isEmpty()) {
            request.header("Idempotency-Key", idempotency);
        }
        try {
            var answer = client.send(request.build(), BodyHandlers.ofString());
            return Optional.of(new Answer(answer.statusCode(), answer.body())).filter(its -> !its.isForNow());
        } catch (ConnectException e) {
            pause();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// Asks one after another until one answers.
    Answer send(String method, String path, String key, @Nullable String json, String idempotency)
            throws InterruptedException {
        while (true) {
            var answer = once(method, path, key, json, idempotency);
            if (answer.isPresent()) {
                return answer.get();
            }
            pause();
        }
    }

    Answer post(String path, String key, String json) throws InterruptedException {
        return send("POST", path, key, json, "");
    }

    Answer get(String path, String key) throws InterruptedException {
        return send("GET", path, key, null, "");
    }

    /// Sends a request and cuts the connection at once, before an answer.
    void cut(String path, String key, String json) {
        var address = URI.create(one());
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream()
                    .write("""
                    POST %s HTTP/1.1\r
                    Host: 127.0.0.1\r
                    Authorization: Bearer %s\r
                    Content-Type: application/json\r
                    Content-Length: %d\r
                    \r
                    %s""".formatted(path, key, json.length(), json).getBytes(StandardCharsets.US_ASCII));
            if (ThreadLocalRandom.current().nextBoolean()) {
                socket.setSoLinger(true, 0); // a reset, else an orderly end
            }
        } catch (IOException e) {
            pause();
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
