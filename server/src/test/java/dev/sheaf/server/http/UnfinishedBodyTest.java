package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.http.HttpServer;
import dev.sheaf.engine.http.ServerCertificates;
import dev.sheaf.model.Problem;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.SelfSigned;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A body that is too long and then stops: nobody may wait for its end.
@Timeout(120)
class UnfinishedBodyTest {
    private static final int LIMIT = 10_000;
    private static final Duration SOON = Duration.ofSeconds(60);
    /// So slow a body would be taken for hours.
    private static final HttpServer.Times PATIENT =
            new HttpServer.Times(Duration.ofHours(1), Duration.ofHours(1), new HttpServer.Pace(0, Duration.ofHours(1)));

    private final CountDownLatch left = new CountDownLatch(1);

    private TinyServer server(Path folder, TinyServer.Protocols protocols) {
        var route = new Route(RouteMethod.POST, "/a", RoutePermission.NONE, call -> {
            try {
                call.payload().whole(new Problem.PayloadTooLarge("the body", LIMIT, "bytes"));
            } finally {
                left.countDown();
            }
            return Answer.ok("done");
        });
        return new TinyServer(folder, 1 << 20, PATIENT, protocols, List.of(route));
    }

    @Test
    void isRefusedOverHttp1(@TempDir Path folder) throws Exception {
        try (var server = server(folder, new TinyServer.Protocols(Optional.empty(), false));
                var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String body = "%x\r\n%s\r\n".formatted(LIMIT + 1, "a".repeat(LIMIT + 1));
            socket.getOutputStream()
                    .write(("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));

            var status = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);

            assertThat(status).isEqualTo("HTTP/1.1 413");
            Eventually.within(SOON, () -> server.memory.used() == 0);
        }
    }

    @Test
    void isLeftOverHttp2(@TempDir Path folder) throws Exception {
        var own = SelfSigned.shared();
        var certificates = new ServerCertificates(
                Files.writeString(folder.resolve("chain.pem"), own.chain()),
                Files.writeString(folder.resolve("key.pem"), own.secret()));
        try (var server = server(folder, new TinyServer.Protocols(Optional.of(certificates), true));
                var body = new SubmissionPublisher<ByteBuffer>();
                var client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_2)
                        .sslContext(own.trusting())
                        .build()) {
            var uri = URI.create("https://127.0.0.1:" + server.port() + "/a");
            client.sendAsync(
                    HttpRequest.newBuilder(uri)
                            .POST(BodyPublishers.fromPublisher(body))
                            .build(),
                    BodyHandlers.discarding());
            try {
                Eventually.within(SOON, body::hasSubscribers);
                body.submit(ByteBuffer.allocate(LIMIT + 1));

                assertThat(left.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } finally {
                client.shutdownNow();
            }
            Eventually.within(SOON, () -> server.memory.used() == 0);
        }
    }
}
