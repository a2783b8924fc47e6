package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.http.HttpServer;
import dev.sheaf.engine.http.ServerCertificates;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.testing.SelfSigned;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(100)
@SuppressWarnings("NullAway.Init") // set by JUnit
@Tag("slow")
class TlsTest {
    @TempDir
    private Path folder;

    private SelfSigned own;
    private Path chain;
    private Path key;
    private ServerCertificates certificates;
    private TinyServer server;

    @BeforeEach
    void start() throws Exception {
        own = SelfSigned.shared();
        chain = Files.writeString(folder.resolve("chain.pem"), own.chain());
        key = Files.writeString(folder.resolve("key.pem"), own.secret());
        certificates = new ServerCertificates(chain, key);
        serve(HttpServer.Times.USUAL, true);
    }

    private void serve(HttpServer.Times times, boolean http2) {
        server = new TinyServer(
                folder,
                64 << 20,
                times,
                new TinyServer.Protocols(Optional.of(certificates), http2),
                List.of(
                        new Route(
                                RouteMethod.GET,
                                "/",
                                RoutePermission.NONE,
                                call -> Answer.ok(Map.of("base", call.way().isStrict()))),
                        new Route(
                                RouteMethod.PUT,
                                "/body",
                                RoutePermission.NONE,
                                call -> Answer.ok(Map.of("bytes", call.bytes("the body", 4 << 20).length)))));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// Starts anew, with little time between two moves of a connection.
    private void serveImpatiently() {
        server.close();
        serve(new HttpServer.Times(Duration.ofSeconds(10), Duration.ofSeconds(1), HttpServer.Pace.USUAL), true);
    }

    @Test
    void http2IsSpokenOnlyWhereItIsSwitchedOn() throws Exception {
        assertThat(negotiated("h2", "http/1.1")).isEqualTo("h2");
        server.close();
        serve(HttpServer.Times.USUAL, false);

        assertThat(negotiated("h2", "http/1.1")).isEqualTo("http/1.1");
        assertThatThrownBy(() -> negotiated("h2")).isInstanceOf(SSLHandshakeException.class);
        try (var client = client(HttpClient.Version.HTTP_2)) {
            assertThat(client.send(request("/").build(), BodyHandlers.ofString())
                            .version())
                    .isEqualTo(HttpClient.Version.HTTP_1_1);
        }
        assertThat(new String(plain(Http2Frames.PREFACE), StandardCharsets.ISO_8859_1))
                .doesNotStartWith("\0");
    }

    private String negotiated(String... offered) throws Exception {
        try (var socket = socket()) {
            var parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(offered);
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket.getApplicationProtocol();
        }
    }

    /// What comes back for bytes over TLS without a protocol that was agreed upon.
    private byte[] plain(byte[] bytes) throws Exception {
        try (var socket = socket()) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(bytes);
            return socket.getInputStream().readAllBytes();
        }
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

        assertThatThrownBy(() -> new ServerCertificates(chain, key))
                .hasMessageContaining("does not belong to the certificate");
        assertThatThrownBy(() -> new ServerCertificates(chain, chain)).hasMessageContaining("no private key");
        assertThatThrownBy(() -> new ServerCertificates(key, key)).hasMessageContaining("cannot be used");
        assertThatThrownBy(() -> new ServerCertificates(folder.resolve("none"), key))
                .hasMessageContaining("none");
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
