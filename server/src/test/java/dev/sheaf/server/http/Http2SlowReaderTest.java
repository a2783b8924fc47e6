package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.http.HttpServer;
import dev.sheaf.engine.http.ServerCertificates;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.testing.SelfSigned;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients of HTTP/2 that take an answer slowly: there the socket is free, and only the stream's window is narrow.
@Timeout(60)
@SuppressWarnings("NullAway.Init") // set by JUnit
class Http2SlowReaderTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration BRIEF = Duration.ofMillis(600);
    private static final int WINDOW_UPDATE = 8;
    private static final int BEAT_MILLIS = 40;

    @TempDir
    private Path folder;

    private final CountDownLatch brokeOff = new CountDownLatch(1);
    private SelfSigned own;
    private TinyServer server;

    @BeforeEach
    void start() throws Exception {
        own = SelfSigned.shared();
        var certificates = new ServerCertificates(
                Files.writeString(folder.resolve("chain.pem"), own.chain()),
                Files.writeString(folder.resolve("key.pem"), own.secret()));
        server = new TinyServer(
                folder,
                8 << 20,
                new HttpServer.Times(LONG, LONG, new HttpServer.Pace(1 << 20, BRIEF)),
                new TinyServer.Protocols(Optional.of(certificates), true),
                List.of(new Route(RouteMethod.GET, "/", RoutePermission.NONE, call -> endless())));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Answer endless() {
        return Answer.content(200, "application/octet-stream", Long.MAX_VALUE, out -> {
            var piece = new byte[1 << 20];
            try {
                while (true) {
                    out.write(piece);
                }
            } catch (IOException | RuntimeException e) {
                brokeOff.countDown();
                throw e;
            }
        });
    }

    private static byte[] oneByteMore(int stream) {
        return Http2Frames.frame(WINDOW_UPDATE, 0, stream, new byte[] {0, 0, 0, 1});
    }

    @Test
    void whoOpensTheWindowByteByByteIsCutOff() throws Exception {
        try (var socket = (SSLSocket)
                own.trusting().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.port())) {
            var parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            var out = socket.getOutputStream();
            out.write(Http2Frames.PREFACE);
            out.write(Http2Frames.frame(Http2Frames.SETTINGS, 0, 0, new byte[0]));
            out.write(Http2Frames.frame(Http2Frames.HEADERS, 5, 1, Http2Frames.GET));
            while (!brokeOff.await(BEAT_MILLIS, TimeUnit.MILLISECONDS)) {
                try {
                    out.write(oneByteMore(0));
                    out.write(oneByteMore(1));
                } catch (IOException e) {
                    break; // closed, as it should be
                }
            }

            assertThat(brokeOff.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whoKeepsThePaceIsNot() throws Exception {
        try (var client = HttpClient.newBuilder()
                .sslContext(own.trusting())
                .version(HttpClient.Version.HTTP_2)
                .build()) {
            var request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/"));
            long end = System.nanoTime() + BRIEF.multipliedBy(5).toNanos();
            try (InputStream body =
                    client.send(request.build(), BodyHandlers.ofInputStream()).body()) {
                while (System.nanoTime() < end) {
                    assertThat(body.readNBytes(1 << 20)).hasSize(1 << 20);
                    assertThat(brokeOff.await(BEAT_MILLIS, TimeUnit.MILLISECONDS))
                            .isFalse();
                }
            }
        }
    }
}
