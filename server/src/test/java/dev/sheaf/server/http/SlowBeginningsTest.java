package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.http.HttpServer;
import dev.sheaf.engine.http.ServerCertificates;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.testing.SelfSigned;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Two hundred connections whose first request comes byte by byte and never ends. Each is closed when its time is over,
/// and others are served meanwhile.
@Timeout(100)
class SlowBeginningsTest {
    private static final int ATTACKERS = 200;

    /// What four addresses get beyond the limit, to be told about health and nothing else.
    private static final int FOR_HEALTH = 4 * 8;

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int BEAT_MILLIS = 200;

    /// What is sent at once, and what again and again.
    private enum Beginning {
        HTTP_1_HEAD("http/1.1"),
        HTTP_2_PREFACE("h2"),
        HTTP_2_CUT_PREFACE("h2"),
        HTTP_2_HEADERS("h2");

        private final String protocol;

        Beginning(String protocol) {
            this.protocol = protocol;
        }

        byte[] first() {
            var bytes = new ByteArrayOutputStream();
            switch (this) {
                case HTTP_1_HEAD ->
                    bytes.writeBytes("GET / HTTP/1.1\r\nHost: h\r\nX: ".getBytes(StandardCharsets.US_ASCII));
                case HTTP_2_CUT_PREFACE -> bytes.writeBytes(Arrays.copyOf(Http2Frames.PREFACE, 13));
                case HTTP_2_HEADERS -> {
                    begin(bytes);
                    bytes.writeBytes(Http2Frames.frame(Http2Frames.HEADERS, 1, 1, Http2Frames.GET)); // not their end
                    bytes.writeBytes(
                            Arrays.copyOf(Http2Frames.frame(Http2Frames.CONTINUATION, 4, 1, new byte[5_000]), 9));
                }
                case HTTP_2_PREFACE -> {
                    // nothing
                }
            }
            return bytes.toByteArray();
        }

        private static void begin(ByteArrayOutputStream bytes) {
            bytes.writeBytes(Http2Frames.PREFACE);
            bytes.writeBytes(Http2Frames.frame(Http2Frames.SETTINGS, 0, 0, new byte[0]));
        }

        /// The byte of a beat; none where it is negative.
        int next(int beat) {
            return switch (this) {
                case HTTP_1_HEAD -> 'a';
                case HTTP_2_PREFACE -> Http2Frames.PREFACE[beat % Http2Frames.PREFACE.length];
                case HTTP_2_HEADERS -> 0x88; // a field of the static table
                case HTTP_2_CUT_PREFACE -> -1;
            };
        }
    }

    @TempDir
    private Path folder;

    /// How long the server has kept it.
    private static Duration kept(SSLContext trusting, int port, int number, Beginning beginning, CountDownLatch begun) {
        long start = System.nanoTime();
        try (var plain = new Socket()) {
            plain.bind(new InetSocketAddress("127.0.1." + (1 + number % 4), 0));
            plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            try (var socket = (SSLSocket) trusting.getSocketFactory().createSocket(plain, "localhost", port, true)) {
                var parameters = socket.getSSLParameters();
                parameters.setApplicationProtocols(new String[] {beginning.protocol});
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                socket.getOutputStream().write(beginning.first());
                begun.countDown();
                plain.setSoTimeout(BEAT_MILLIS);
                for (int beat = 0; !isOver(socket); beat++) {
                    if (beginning.next(beat) >= 0) {
                        socket.getOutputStream().write(beginning.next(beat));
                    }
                }
            }
        } catch (IOException e) {
            // closed
        }
        begun.countDown();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static boolean isOver(SSLSocket socket) throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {
                // settings, or a refusal
            }
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(Beginning.class)
    void whoNeverComesToARequestIsClosedAndOthersAreServed(Beginning beginning) throws Exception {
        var own = SelfSigned.shared();
        var trusting = own.trusting();
        var certificates = new ServerCertificates(
                Files.writeString(folder.resolve("chain.pem"), own.chain()),
                Files.writeString(folder.resolve("key.pem"), own.secret()));
        var routes = List.of(new Route(RouteMethod.GET, "/", RoutePermission.NONE, call -> Answer.ok(Map.of("a", 1))));
        try (var server = new TinyServer(
                        folder,
                        8 << 20,
                        new HttpServer.Times(Duration.ofSeconds(60), PATIENCE, HttpServer.Pace.USUAL),
                        new TinyServer.Protocols(Optional.of(certificates), true),
                        routes);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var begun = new CountDownLatch(ATTACKERS);
            var attackers = new ArrayList<Future<Duration>>();
            for (int i = 0; i < ATTACKERS; i++) {
                int number = i;
                attackers.add(threads.submit(() -> kept(trusting, server.port(), number, beginning, begun)));
            }
            begun.await();

            assertThat(server.connections()).isLessThanOrEqualTo(TinyServer.CONNECTIONS + FOR_HEALTH);
            for (int i = 0; i < 5; i++) {
                try (var client = HttpClient.newBuilder().sslContext(trusting).build()) { // a connection each time
                    var request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/"));
                    assertThat(client.send(
                                            request.timeout(Duration.ofSeconds(20))
                                                    .build(),
                                            BodyHandlers.ofString())
                                    .statusCode())
                            .isEqualTo(200);
                }
            }
            for (var attacker : attackers) {
                assertThat(attacker.get(60, TimeUnit.SECONDS)).isLessThan(PATIENCE.plusSeconds(20));
            }
        }
    }
}
