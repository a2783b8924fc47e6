package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.http.HttpServer;
import dev.sheaf.engine.http.ServerCertificates;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.SelfSigned;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a proxy has on its way to a node that stops.
@Timeout(120)
class StoppingTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration HALF_NEW = Duration.ofMillis(500);
    private static final int ROUNDS = 5;
    private static final String REQUEST = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

    /// A proxy does not repeat a POST that it sent.
    @Test
    void aRequestOnANewConnectionIsServed(@TempDir Path folder) throws Exception {
        Duration took;
        String answer;
        int round = 0;
        do {
            long begin = System.nanoTime();
            try (var server = TinyServer.get(
                            Files.createDirectory(folder.resolve("" + round)),
                            "/a",
                            call -> Answer.ok(Map.of("a", 1)));
                    var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                var stop = CompletableFuture.supplyAsync(() -> server.stop(SOON.multipliedBy(2)));
                awaitClosed(server);
                took = Duration.ofNanos(System.nanoTime() - begin);
                answer = ask(socket);
                assertThat(stop.get()).isZero();
            }
            round++;
        } while (answer.isEmpty() && took.compareTo(HALF_NEW) > 0); // it was not new any more

        assertThat(answer).startsWith("HTTP/1.1 200 ").contains("Connection: close");
    }

    /// Nor does it repeat one on a connection that the node has not yet taken from the operating system.
    @Test
    void aRequestOnAConnectionThatWaitsToBeTakenIsServed(@TempDir Path folder) throws Exception {
        var answers = new ArrayList<String>();
        for (int round = 0; round < ROUNDS; round++) {
            var sockets = new ArrayList<Socket>();
            try (var server = TinyServer.get(
                    Files.createDirectory(folder.resolve("" + round)), "/a", call -> Answer.ok(Map.of("a", 1)))) {
                for (int i = 0; i < TinyServer.CONNECTIONS_EACH; i++) {
                    var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                    socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
                    sockets.add(socket);
                }
                server.stop(SOON.multipliedBy(2));
                for (var socket : sockets) {
                    answers.add(answer(socket));
                }
            } finally {
                for (var socket : sockets) {
                    socket.close();
                }
            }
        }

        assertThat(answers).allMatch(answer -> answer.startsWith("HTTP/1.1 200 "), "is answered");
    }

    /// Its streams are no connections of the operating system, so nothing else waits for them.
    @Test
    void aRequestOfHttp2ThatRunsIsServed(@TempDir Path folder) throws Exception {
        var own = SelfSigned.shared();
        var certificates = new ServerCertificates(
                Files.writeString(folder.resolve("chain.pem"), own.chain()),
                Files.writeString(folder.resolve("key.pem"), own.secret()));
        var begun = new CountDownLatch(1);
        var held = new CountDownLatch(1);
        var route = new Route(RouteMethod.POST, "/a", RoutePermission.NONE, call -> {
            begun.countDown();
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Answer.ok(Map.of("a", 1));
        });
        try (var server = new TinyServer(
                        folder,
                        1 << 20,
                        HttpServer.Times.USUAL,
                        new TinyServer.Protocols(Optional.of(certificates), true),
                        List.of(route));
                var client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_2)
                        .sslContext(own.trusting())
                        .build()) {
            var uri = URI.create("https://127.0.0.1:" + server.port() + "/a");
            var answer = client.sendAsync(
                    HttpRequest.newBuilder(uri)
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            begun.await();
            var stop = CompletableFuture.supplyAsync(() -> server.stop(SOON));
            awaitClosed(server);
            held.countDown();

            assertThat(answer.get().statusCode()).isEqualTo(200);
            assertThat(stop.get()).isZero();
        }
    }

    private static void awaitClosed(TinyServer server) {
        Eventually.within(SOON, () -> {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                return !socket.isConnected();
            } catch (IOException e) {
                return true;
            }
        });
    }

    private static String ask(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return "";
        }
        return answer(socket);
    }

    private static String answer(Socket socket) {
        try {
            return text(socket.getInputStream());
        } catch (IOException e) {
            return "";
        }
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
}
