package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.http.server.Certificates;
import dev.sheaf.server.http.server.HttpServer;
import dev.sheaf.server.testing.SelfSigned;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// More requests at once than a node can have in progress.
@Timeout(120)
@SuppressWarnings("NullAway.Init") // set by JUnit
class CrowdedTest {
    private static final int EACH = 70;
    private static final HttpServer.Times PATIENT =
            new HttpServer.Times(Duration.ZERO, Duration.ofSeconds(60), HttpServer.Pace.USUAL);

    @TempDir
    private Path folder;

    private final CountDownLatch held = new CountDownLatch(1);
    private final Semaphore begun = new Semaphore(0);
    private final List<HttpClient> clients = new ArrayList<>();
    private SelfSigned own;
    private TinyServer server;

    @BeforeEach
    void open() throws Exception {
        own = SelfSigned.make(folder, "EC");
        var certificates = new Certificates(
                Files.writeString(folder.resolve("chain.pem"), own.chain()),
                Files.writeString(folder.resolve("key.pem"), own.secret()));
        server = new TinyServer(
                folder,
                1 << 20,
                PATIENT,
                new TinyServer.Protocols(Optional.of(certificates), true),
                List.of(
                        route("/slow", () -> {
                            begun.release();
                            held.await();
                        }),
                        route("/quick", () -> {}),
                        route("/health/live", () -> {}),
                        route("/metrics", () -> {})));
    }

    private interface Waiting {
        void run() throws InterruptedException;
    }

    private static Route route(String path, Waiting waiting) {
        return new Route(Method.GET, path, Need.NONE, call -> {
            try {
                waiting.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Answer.ok("done");
        });
    }

    @AfterEach
    void close() {
        held.countDown();
        clients.forEach(HttpClient::close);
        server.close();
    }

    private HttpClient client() throws Exception {
        var client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(own.trusting())
                .build();
        clients.add(client);
        return client;
    }

    private CompletableFuture<HttpResponse<String>> ask(HttpClient client, String path) {
        var uri = URI.create("https://127.0.0.1:" + server.port() + path);
        return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    @Test
    void manyAtOnceAreRefusedAndTheOthersAreServed() throws Exception {
        var greedy = List.of(client(), client());
        for (var client : greedy) {
            assertThat(ask(client, "/quick").get().statusCode()).isEqualTo(200); // one connection each
        }
        var asked = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int i = 0; i < 2 * EACH; i++) {
            asked.add(ask(greedy.get(i % 2), "/slow"));
        }
        assertThat(begun.tryAcquire(TinyServer.CONNECTIONS, 60, TimeUnit.SECONDS))
                .as("as many as there may be connections")
                .isTrue();

        var refused = ask(greedy.getFirst(), "/quick").get();

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).contains("5");
        assertThat(refused.body()).contains("too many requests are in progress");
        for (String path : List.of("/health/live", "/metrics")) {
            assertThat(ask(greedy.getFirst(), path).get().statusCode()).isEqualTo(200);
        }
        assertThat(ask(client(), "/quick").get().statusCode())
                .as("one at a time")
                .isEqualTo(200);
        held.countDown();
        int served = 0;
        for (var answer : asked) {
            served += answer.get().statusCode() == 200 ? 1 : 0;
        }
        assertThat(served).isEqualTo(TinyServer.CONNECTIONS);
        assertThat(ask(greedy.getFirst(), "/quick").get().statusCode()).isEqualTo(200);
    }
}
