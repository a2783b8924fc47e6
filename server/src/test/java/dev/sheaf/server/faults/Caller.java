package dev.sheaf.server.faults;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Sends requests and reports how each ended. Thread-safe.
final class Caller implements AutoCloseable {
    /// Longer than any answer may take, so that what takes too long is seen.
    private static final Duration LONGEST = Duration.ofSeconds(150);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
    private final String url;
    private final String key;
    private final Consumer<Outcome> outcomes;

    Caller(String url, String key, Consumer<Outcome> outcomes) {
        this.url = url;
        this.key = key;
        this.outcomes = outcomes;
    }

    /// A request without its address.
    ///
    /// @param body null: a GET
    record Call(String kind, String method, String path, byte @Nullable [] body, String type, boolean withKey) {
        static Call get(String kind, String path, boolean withKey) {
            return new Call(kind, "GET", path, null, "", withKey);
        }

        static Call write(String kind, String method, String path, byte[] body, String type) {
            return new Call(kind, method, path, body, type, true);
        }
    }

    /// The content of the answer; null if it was not one of success.
    ///
    /// @param due when it was to be sent
    byte @Nullable [] send(long due, Call call) {
        var answer = answer(due, call);
        return answer == null ? null : answer.body();
    }

    /// The place of a new upload; null if it could not begin.
    @Nullable
    String begin(long due, String path) {
        var answer = answer(due, Call.write("abandoned upload", "POST", path, new byte[0], ""));
        return answer == null ? null : answer.headers().firstValue("Location").orElseThrow();
    }

    private @Nullable HttpResponse<byte[]> answer(long due, Call call) {
        boolean writes = !call.method().equals("GET");
        try {
            var answer = client.send(request(call), BodyHandlers.ofByteArray());
            String result = result(answer);
            report(call.kind(), writes, due, result);
            return result.isEmpty() ? answer : null;
        } catch (HttpTimeoutException e) {
            report(call.kind(), writes, due, "no answer");
        } catch (IOException e) {
            report(call.kind(), writes, due, "broken connection");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    void report(String kind, boolean writes, long due, String result) {
        outcomes.accept(new Outcome(kind, writes, due, System.nanoTime() - due, result));
    }

    private HttpRequest request(Call call) {
        var publisher = call.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(call.body());
        var request = HttpRequest.newBuilder(URI.create(url + call.path()))
                .timeout(LONGEST)
                .method(call.method(), publisher);
        if (call.withKey()) {
            request.header("Authorization", "Bearer " + key);
        }
        if (!call.type().isEmpty()) {
            request.header("Content-Type", call.type());
        }
        return request.build();
    }

    private static String result(HttpResponse<byte[]> answer) {
        int status = answer.statusCode();
        if (Set.of(200, 201, 202, 204).contains(status)) {
            return "";
        }
        boolean names = answer.headers().firstValue("Retry-After").isPresent();
        return switch (status) {
            case 503 -> names ? Outcome.REFUSED : "503 without Retry-After";
            case 409 -> "409 " + new String(answer.body(), StandardCharsets.UTF_8);
            default -> String.valueOf(status);
        };
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
