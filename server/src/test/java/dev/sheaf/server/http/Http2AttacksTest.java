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
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Frames that no client sends.
@Timeout(100)
@SuppressWarnings("NullAway.Init") // set by JUnit
class Http2AttacksTest {
    @TempDir
    private Path folder;

    private final AtomicInteger reading = new AtomicInteger();
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
                HttpServer.Times.USUAL,
                new TinyServer.Protocols(Optional.of(certificates), true),
                List.of(
                        new Route(RouteMethod.GET, "/", RoutePermission.NONE, call -> Answer.ok(Map.of("a", 1))),
                        new Route(RouteMethod.GET, "/hold", RoutePermission.NONE, call -> {
                            reading.incrementAndGet();
                            try {
                                return Answer.ok(call.bytes("it", 100).length);
                            } finally {
                                reading.decrementAndGet();
                            }
                        }),
                        new Route(
                                RouteMethod.GET,
                                "/live",
                                RoutePermission.NONE,
                                call -> Answer.live("text/plain", new Quiet(reading)))));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// CVE-2023-44487.
    @Test
    void streamsThatAreResetAtOnceEndTheConnection() throws Exception {
        var frames = new ByteArrayOutputStream();
        for (int stream = 1; stream < 2_000; stream += 2) {
            frames.writeBytes(Http2Frames.frame(Http2Frames.HEADERS, 5, stream, Http2Frames.GET));
            frames.writeBytes(Http2Frames.frame(Http2Frames.RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8}));
        }

        assertThat(isSentAway(frames.toByteArray())).isTrue();
        assertServes();
    }

    /// The server itself ends the streams, because their windows overflow (CVE-2025-8671, "MadeYouReset").
    @Test
    void streamsThatTheServerMustResetEndTheConnection() throws Exception {
        var frames = new ByteArrayOutputStream();
        for (int stream = 1; stream < 10_000; stream += 2) {
            frames.writeBytes(Http2Frames.frame(Http2Frames.HEADERS, 5, stream, Http2Frames.GET));
            frames.writeBytes(Http2Frames.frame(Http2Frames.WINDOW_UPDATE, 0, stream, new byte[] {0x7f, -1, -1, -1}));
        }

        assertThat(isSentAway(frames.toByteArray())).isTrue();
        assertServes();
    }

    /// CVE-2024-27316 and its like.
    @Test
    void headersWithoutEndEndTheConnection() throws Exception {
        var frames = new ByteArrayOutputStream();
        frames.writeBytes(Http2Frames.frame(Http2Frames.HEADERS, 0, 1, Http2Frames.GET));
        byte[] more = new byte[16_000];
        for (int i = 0; i + 104 < more.length; i += 104) {
            System.arraycopy(new byte[] {0, 1, 'x', 100}, 0, more, i, 4);
        }
        for (int i = 0; i < 500; i++) {
            frames.writeBytes(Http2Frames.frame(Http2Frames.CONTINUATION, 0, 1, more));
        }

        assertThat(isSentAway(frames.toByteArray())).isTrue();
        assertServes();
    }

    /// A byte for each header, which stands for one of three thousand bytes ("HPACK bomb").
    @Test
    void headersThatStandForMuchAreRefused() throws Exception {
        var block = new ByteArrayOutputStream();
        block.writeBytes(Http2Frames.GET);
        block.writeBytes(new byte[] {0x40, 1, 'x', 0x7f, (byte) 0xb9, 0x16}); // kept, with 3,000 bytes
        block.writeBytes("a".repeat(3_000).getBytes(StandardCharsets.US_ASCII));
        byte[] again = new byte[12_000];
        Arrays.fill(again, (byte) 0xbe);
        block.writeBytes(again);

        assertThat(isFound(Http2Frames.frame(Http2Frames.HEADERS, 5, 1, block.toByteArray())))
                .isFalse();
        assertServes();
    }

    /// They hold no bytes, so no limit of bytes ends them.
    @Test
    void emptyFramesOfHeadersEndTheConnection() throws Exception {
        var frames = new ByteArrayOutputStream();
        frames.writeBytes(Http2Frames.frame(Http2Frames.HEADERS, 0, 1, Http2Frames.GET));
        for (int i = 0; i < 5_000; i++) {
            frames.writeBytes(Http2Frames.frame(Http2Frames.CONTINUATION, 0, 1, new byte[0]));
        }

        assertThat(isSentAway(frames.toByteArray())).isTrue();
        assertServes();
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 5", "4, 0, 6", "6, 0, 8", "8, 0, 4", "119, 0, 0", "0, 1, 0"})
    void framesThatDoNothingEndTheConnection(int type, int stream, int length) throws Exception {
        byte[] payload = new byte[length];
        if (type == 8) {
            payload[3] = 1;
        } else if (type == 4) {
            payload[1] = 3; // a setting and its value
        } else if (type == 2) {
            payload[3] = 3; // the stream that this one depends on
        }
        var frames = new ByteArrayOutputStream();
        frames.writeBytes(Http2Frames.frame(Http2Frames.HEADERS, 4, 1, Http2Frames.GET));
        for (int i = 0; i < 20_000; i++) {
            frames.writeBytes(Http2Frames.frame(type, 0, stream, payload));
        }

        assertThat(isSentAway(frames.toByteArray())).isTrue();
        assertServes();
    }

    /// The library leaves them waiting for good.
    @Test
    void streamsEndWithTheirConnection() throws Exception {
        try (var socket = http2()) {
            for (int stream = 1; stream < 101; stream += 2) {
                socket.getOutputStream().write(Http2Frames.open("/hold", stream));
            }
            Eventually.within(Duration.ofSeconds(20), () -> reading.get() == 50);
        }

        Eventually.within(Duration.ofSeconds(20), () -> reading.get() == 0);
    }

    /// The library counts such a stream no longer, and lets its request wait for as long as the connection is open.
    @Test
    void aRequestThatWaitsEndsWithItsStream() throws Exception {
        try (var socket = http2()) {
            var out = socket.getOutputStream();
            for (int stream = 1; stream < 61; stream += 2) {
                out.write(onStream(Http2Frames.get("/live"), stream));
            }
            Eventually.within(Duration.ofSeconds(20), () -> reading.get() == 30);
            for (int stream = 1; stream < 61; stream += 2) {
                out.write(Http2Frames.frame(Http2Frames.RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8}));
            }

            Eventually.within(Duration.ofSeconds(20), () -> reading.get() == 0);

            out.write(onStream(Http2Frames.get("/live"), 61));
            Eventually.within(Duration.ofSeconds(20), () -> reading.get() == 1);
        }
    }

    private static byte[] onStream(byte[] frame, int stream) {
        frame[8] = (byte) stream;
        return frame;
    }

    /// Says nothing, until somebody ends it.
    private static final class Quiet implements Answer.Steps {
        private final AtomicInteger open;
        private final CountDownLatch never = new CountDownLatch(1);
        private boolean begun;

        Quiet(AtomicInteger open) {
            this.open = open;
        }

        @Override
        public boolean writeTo(OutputStream out) throws IOException {
            if (!begun) {
                begun = true;
                open.incrementAndGet();
            }
            out.write('.');
            out.flush();
            return true;
        }

        @Override
        public void await() {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }

    @Test
    void anAbsolutePathIsNotAnswered() throws Exception {
        assertThat(isFound(Http2Frames.get("/"))).isTrue();
        assertThat(isFound(Http2Frames.get("https://h/"))).isFalse();
    }

    /// What HTTP/1.1 needs and HTTP/2 forbids (RFC 9113, section 8.2), and what would be two headers in HTTP/1.1.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "transfer-encoding | chunked",
                "connection        | close",
                "X-Upper           | a",
                "x                 | a{CRLF}b: c",
                "x{CRLF}y          | a",
                "x y               | a",
                ":path             | /other",
                ":unknown          | a",
                "content-length    | 5",
                "content-length    | -1",
            })
    void malformedHeadersAreNotAnswered(String name, String value) throws Exception {
        byte[] one = name.replace("{CRLF}", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        byte[] two = value.replace("{CRLF}", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        var block = new ByteArrayOutputStream();
        block.writeBytes(Http2Frames.GET);
        block.write(0);
        block.write(one.length);
        block.writeBytes(one);
        block.write(two.length);
        block.writeBytes(two);

        assertThat(isFound(Http2Frames.frame(Http2Frames.HEADERS, 5, 1, block.toByteArray())))
                .isFalse();
        assertThat(isFound(Http2Frames.frame(Http2Frames.HEADERS, 5, 1, Http2Frames.GET)))
                .as("without it")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/?q=%00", "/?q=%0D%0Ab: c", "/?q=%0A", "/?q=%01", "/?q=%7F", "/body%00"})
    void aTargetWithControlsIsNotAnswered(String target) throws Exception {
        assertThat(isFound(Http2Frames.get("/?q=%00"))).isTrue();
        assertThat(isFound(Http2Frames.get(URLDecoder.decode(target, StandardCharsets.ISO_8859_1))))
                .isFalse();
    }

    /// Whether a stream of HTTP/2 that begins with these frames is answered with 200.
    private boolean isFound(byte[] frames) throws Exception {
        try (var socket = http2()) {
            socket.getOutputStream().write(frames);
            var in = new DataInputStream(socket.getInputStream());
            while (true) {
                int head = in.readInt();
                in.readNBytes(5);
                byte[] payload = in.readNBytes(head >>> 8);
                switch (head & 0xff) {
                    case Http2Frames.HEADERS -> {
                        return payload[0] == (byte) 0x88; // ":status: 200" of the static table
                    }
                    case Http2Frames.RST_STREAM, Http2Frames.GOAWAY -> {
                        return false;
                    }
                    default -> {
                        // settings and their like
                    }
                }
            }
        } catch (EOFException e) {
            return false;
        }
    }

    private void assertServes() throws Exception {
        try (var client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(own.trusting())
                .build()) {
            var request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/"));
            assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    /// Whether the server ends a connection of HTTP/2 on which these frames come, with Http2Frames.GOAWAY or
    /// without.
    private boolean isSentAway(byte[] frames) throws Exception {
        try (var socket = http2()) {
            Thread.ofVirtual().start(() -> {
                try {
                    socket.getOutputStream().write(frames);
                } catch (IOException e) {
                    // the server has read enough
                }
            });
            var in = new DataInputStream(socket.getInputStream());
            while (true) {
                int head = in.readInt();
                in.readNBytes(5);
                in.readNBytes(head >>> 8);
                if ((head & 0xff) == Http2Frames.GOAWAY) {
                    return true;
                }
            }
        } catch (IOException e) {
            return !(e instanceof java.net.SocketTimeoutException);
        }
    }

    /// A connection of HTTP/2 that has begun.
    private SSLSocket http2() throws Exception {
        var socket = (SSLSocket)
                own.trusting().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.port());
        var parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(Http2Frames.PREFACE);
        socket.getOutputStream().write(Http2Frames.frame(Http2Frames.SETTINGS, 0, 0, new byte[0]));
        return socket;
    }
}
