package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.server.testing.SelfSigned;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Flow;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(100)
@SuppressWarnings("NullAway.Init") // set by JUnit
class TlsTest {
    @TempDir
    private Path folder;

    private SelfSigned own;
    private Path chain;
    private Path key;
    private Certificates certificates;
    private TinyServer server;

    @BeforeEach
    void start() throws Exception {
        own = SelfSigned.make(folder, "EC");
        chain = Files.writeString(folder.resolve("chain.pem"), own.chain());
        key = Files.writeString(folder.resolve("key.pem"), own.secret());
        certificates = new Certificates(chain, key);
        serve(HttpServer.Times.USUAL);
    }

    private void serve(HttpServer.Times times) {
        server = new TinyServer(
                folder,
                8 << 20,
                times,
                Optional.of(certificates),
                List.of(
                        new Route(Method.GET, "/", Need.NONE, call -> Answer.ok(Map.of("base", call.isStrict()))),
                        new Route(
                                Method.PUT,
                                "/body",
                                Need.NONE,
                                call -> Answer.ok(Map.of("bytes", call.bytes("the body", 4 << 20).length)))));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// Starts anew, with little time between two moves of a connection.
    private void serveImpatiently() {
        server.close();
        serve(new HttpServer.Times(Duration.ofSeconds(10), Duration.ofSeconds(1)));
    }

    @ParameterizedTest
    @EnumSource
    void speaksTheVersionThatTheClientWants(HttpClient.Version version) throws Exception {
        try (var client = client(version)) {
            var reply = client.send(request("/").build(), BodyHandlers.ofString());

            assertThat(reply.statusCode()).isEqualTo(200);
            assertThat(reply.version()).isEqualTo(version);
            assertThat(reply.body()).isEqualTo("{\"base\":true}");
            assertThat(reply.headers().firstValue("Strict-Transport-Security")).contains("max-age=31536000");
            assertThat(put(client, BodyPublishers.ofByteArray(new byte[4 << 20]))
                            .body())
                    .isEqualTo("{\"bytes\":4194304}");
        }
    }

    /// Over HTTP/2, a body that was cut off must not look like one that has ended.
    @ParameterizedTest
    @EnumSource
    void aBodyThatStandsStillIsCutOff(HttpClient.Version version) throws Exception {
        serveImpatiently();
        try (var client = client(version)) {
            Flow.Publisher<java.nio.ByteBuffer> stuck = subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
                private boolean sent;

                @Override
                public void request(long n) {
                    if (!sent) {
                        sent = true;
                        subscriber.onNext(java.nio.ByteBuffer.wrap(new byte[10]));
                    }
                }

                @Override
                public void cancel() {
                    // has nothing to give back
                }
            });

            assertThatThrownBy(() -> put(client, BodyPublishers.fromPublisher(stuck)))
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({"RSA, true", "RSA, false", "EC, true", "EC, false", "Ed25519, false"})
    void takesKeysOfEveryForm(String algorithm, boolean old) throws Exception {
        var made = SelfSigned.make(folder, algorithm);
        Files.writeString(chain, made.chain());
        Files.writeString(key, old ? made.oldSecret(algorithm) : made.secret());

        certificates.reload();

        assertThat(shown()).isEqualTo(made.certificate());
    }

    @Test
    void aNewCertificateIsUsedWithoutARestart() throws Exception {
        assertThat(shown()).isEqualTo(own.certificate());
        var next = SelfSigned.make(folder, "EC");

        Files.writeString(chain, next.chain());
        certificates.reload();
        assertThat(shown()).as("the key is still the old one").isEqualTo(own.certificate());
        Files.writeString(key, "junk");
        certificates.reload();
        assertThat(shown()).isEqualTo(own.certificate());
        Files.delete(key);
        certificates.reload();
        assertThat(shown()).isEqualTo(own.certificate());
        Files.writeString(key, next.secret());
        certificates.reload();
        assertThat(shown()).isEqualTo(next.certificate());
    }

    @Test
    void filesThatAreNoneAreRefused() throws Exception {
        Files.writeString(key, SelfSigned.make(folder, "EC").secret());

        assertThatThrownBy(() -> new Certificates(chain, key)).hasMessageContaining("not that of the certificate");
        assertThatThrownBy(() -> new Certificates(chain, chain)).hasMessageContaining("no private key");
        assertThatThrownBy(() -> new Certificates(key, key)).hasMessageContaining("cannot be used");
        assertThatThrownBy(() -> new Certificates(folder.resolve("none"), key)).hasMessageContaining("none");
    }

    @Test
    void oldCiphersAndPlainHttpAreRefused() throws Exception {
        try (var socket = socket()) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.setEnabledCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"});
            assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLHandshakeException.class);
        }
        assertThat(server.raw("GET / HTTP/1.1\r\nHost: h\r\n\r\n", "\n")).doesNotStartWith("HTTP");
    }

    @Test
    void aHandshakeThatNeverComesIsNotWaitedFor() throws IOException {
        serveImpatiently();
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(20_000);

            assertThat(socket.getInputStream().read()).isNegative();
        }
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
        try (var client = client(HttpClient.Version.HTTP_2)) {
            assertThat(client.send(request("/").build(), BodyHandlers.ofString())
                            .statusCode())
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
        var socket = socket();
        var parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(Http2Frames.PREFACE);
        socket.getOutputStream().write(Http2Frames.frame(Http2Frames.SETTINGS, 0, 0, new byte[0]));
        return socket;
    }

    /// A connection of HTTP/2 that has begun.
    private SSLSocket http2() throws Exception {
        var socket = socket();
        var parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(PREFACE);
        socket.getOutputStream().write(frame(SETTINGS, 0, 0, new byte[0]));
        return socket;
    }

    private SSLSocket socket() throws Exception {
        return (SSLSocket)
                own.trusting().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.port());
    }

    /// The certificate that a new connection gets to see.
    private X509Certificate shown() throws Exception {
        var trust = new javax.net.ssl.X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] certificates, String type) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void checkServerTrusted(X509Certificate[] certificates, String type) {
                // any, to look at it
            }

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
        var context = javax.net.ssl.SSLContext.getInstance("TLS");
        context.init(null, new javax.net.ssl.TrustManager[] {trust}, null);
        try (var socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.port())) {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    private HttpClient client(HttpClient.Version version) throws Exception {
        return HttpClient.newBuilder()
                .version(version)
                .sslContext(own.trusting())
                .build();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + path));
    }

    private HttpResponse<String> put(HttpClient client, HttpRequest.BodyPublisher body) throws Exception {
        return client.send(request("/body").PUT(body).build(), BodyHandlers.ofString());
    }
}
