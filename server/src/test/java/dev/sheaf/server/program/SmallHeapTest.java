package dev.sheaf.server.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers with the smallest heaps. The ten minutes of `soak/hostile memory` are this at length.
@Timeout(300)
@Tag("slow")
class SmallHeapTest {
    private static final int READMES = 12;
    private static final int MANIFESTS = 17;
    private static final String BUNDLE = "/v1/namespaces/acme/bundles/";
    private static final String IMAGES = "/v2/acme/images/manifests/";
    private static final String EMPTY = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    /// What a stranger and a tenant can do within seconds.
    @ParameterizedTest
    @ValueSource(ints = {64, 128})
    void survivesReadersOfEverythingAndHalfSentPushes(int heap) throws Exception {
        try (var server = ServerProcess.start(
                folder, List.of("-Xmx" + heap + "m", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError"), List.of())) {
            publish(server);

            for (int i = 0; i < 61; i++) {
                get(server, heavy(i));
            }
            var held = new ArrayList<Socket>();
            try {
                for (int i = 0; i < 60; i++) {
                    held.add(halfSent(server));
                }
                atOnce(IntStream.range(0, 8)
                        .<Callable<Integer>>mapToObj(
                                i -> () -> manifest(server, "annotated-" + i, annotations(280_000)))
                        .toList());
                for (int i = 0; i < 2 * READMES; i++) {
                    get(server, heavy(i));
                }

                assertThat(get(server, "/health/live")).isEqualTo(200);
            } finally {
                for (var socket : held) {
                    socket.close();
                }
            }
            assertThat(server.isAlive()).isTrue();
            assertThat(server.stop()).noneMatch(line -> line.contains("OutOfMemoryError"));
        }
    }

    @Test
    void refusesAHeapOnWhichItWouldDie() throws Exception {
        var ended = ServerProcess.run(List.of("-Xmx48m"), "serve", "--port", "0", "--data-dir", folder.toString());

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.output())
                .contains("the heap of 4") // MiB; the collector decides about the last
                .contains("at least 64 MiB: set SHEAF_JAVA_OPTS=-Xmx64m or more");
    }

    @Test
    void refusesABudgetForRequestsThatTheHeapDoesNotHave() throws Exception {
        var ended = ServerProcess.run(
                List.of("-Xmx128m"),
                "serve",
                "--port",
                "0",
                "--data-dir",
                folder.toString(),
                "--memory-budget-bytes",
                "100000000");

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.output()).contains("memory-budget-bytes is 100000000, but of this heap at most ");
    }

    private void publish(ServerProcess server) throws Exception {
        for (int i = 0; i < READMES; i++) {
            String readme = ("- [a](b) *c* " + i + "\n  - `d`\n\n").repeat(10_000 + 800 * i);
            push(server, "readme-" + i, "1.0.0", readme, "words ".repeat(1_000));
        }
        for (int i = 0; i < 3; i++) {
            push(server, "diff", "1.0." + i, "", ("line " + i + "\n").repeat(60_000));
        }
        push(server, "images", "1.0.0", "", "a");
        String start = server.url() + "/v2/acme/images/blobs/uploads/?digest=" + EMPTY;
        send(server, HttpRequest.newBuilder(URI.create(start)).POST(BodyPublishers.ofString("{}")));
        for (int i = 0; i < MANIFESTS; i++) {
            manifest(server, "large-" + i, "\"x\":\"" + "x".repeat(4_000_000 - i) + "\"");
        }
    }

    private int push(ServerProcess server, String slug, String version, String readme, String text) throws Exception {
        String body = "{\"slug\":\"" + slug + "\",\"name\":\"" + slug + "\",\"version\":\"" + version
                + "\",\"visibility\":\"public\",\"readmeContent\":\"" + readme.replace("\n", "\\n")
                + "\",\"manifest\":[{\"logicalPath\":\"a.txt\",\"contentText\":\"" + text.replace("\n", "\\n")
                + "\"}]}";
        int status = send(
                server,
                HttpRequest.newBuilder(URI.create(server.url() + BUNDLE + slug + ":push"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)));
        assertThat(status).isEqualTo(201);
        return status;
    }

    private static String annotations(int number) {
        return "\"annotations\":{"
                + IntStream.range(0, number)
                        .mapToObj(i -> "\"a" + i + "\":\"\"")
                        .collect(Collectors.joining(","))
                + "}";
    }

    private int manifest(ServerProcess server, String tag, String member) throws Exception {
        String config = "{\"mediaType\":\"a/b\",\"digest\":\"" + EMPTY + "\",\"size\":2}";
        return send(
                server,
                HttpRequest.newBuilder(URI.create(server.url() + IMAGES + tag))
                        .header("Content-Type", MediaType.IMAGE_MANIFEST)
                        .PUT(BodyPublishers.ofString(
                                "{\"schemaVersion\":2,\"config\":" + config + ",\"layers\":[]," + member + "}")));
    }

    private int send(ServerProcess server, HttpRequest.Builder request) throws Exception {
        return client.send(
                        request.header(
                                        "Authorization",
                                        "Bearer " + server.adminKey().expose())
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    private static String heavy(int i) {
        String readme = "readme-" + i / 6 % READMES;
        return switch (i % 6) {
            case 0 -> BUNDLE + readme + "/readme";
            case 1 -> "/acme/" + readme;
            case 2 -> BUNDLE + readme;
            case 3 -> BUNDLE + "diff/versions/1.0." + i % 3 + ":diff?to=1.0." + i / 3 % 3;
            case 4 -> IMAGES + "large-" + i % MANIFESTS;
            default -> BUNDLE + "diff/versions/1.0." + i % 3 + ":pull";
        };
    }

    private int get(ServerProcess server, String path) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create(server.url() + path))
                                .header("Accept", path.endsWith("/readme") ? "text/html" : "*/*")
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    private static Socket halfSent(ServerProcess server) throws IOException {
        var socket = new Socket("127.0.0.1", server.port());
        String head = "POST " + BUNDLE + "half:push HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                + server.adminKey().expose() + "\r\nContent-Type: application/json\r\nContent-Length: 2000000\r\n\r\n"
                + "{\"a\":\"";
        try {
            socket.getOutputStream().write((head + "a".repeat(1_000_000)).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            socket.close(); // refused while it was being sent
        }
        return socket;
    }

    private static void atOnce(List<Callable<Integer>> requests) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : threads.invokeAll(requests)) {
                assertThat(answer.get()).isIn(400, 413, 429, 503);
            }
        }
    }
}
