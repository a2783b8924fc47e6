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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients that are gone while their requests wait.
@Timeout(100)
class WaitingRequestsTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final HttpServer.Times SHORT =
            new HttpServer.Times(Duration.ofSeconds(10), Duration.ofSeconds(1), HttpServer.Pace.USUAL);

    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger waits = new AtomicInteger();
    private final Semaphore bell = new Semaphore(0);

    /// Until the bell rings.
    private final class Waiting implements Answer.Waiting {
        @Override
        public void await() {
            waits.incrementAndGet();
            try {
                bell.tryAcquire(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            waiting.decrementAndGet();
        }
    }

    private static Answer again(Waiting its) {
        return Answer.later(its, () -> again(its));
    }

    private List<Route> routes() {
        return List.of(
                new Route(RouteMethod.GET, "/wait", RoutePermission.NONE, call -> {
                            waiting.incrementAndGet();
                            return again(new Waiting());
                        })
                        .waiting(),
                new Route(RouteMethod.GET, "/wait-once", RoutePermission.NONE, call -> {
                            waiting.incrementAndGet();
                            return Answer.later(new Waiting(), () -> Answer.ok("it came"));
                        })
                        .waiting());
    }

    /// Or each would ask without a pause whether it may go on.
    @Test
    void whatWaitsEndsWithItsConnection(@TempDir Path folder) throws Exception {
        var own = SelfSigned.shared();
        var certificates = new ServerCertificates(
                Files.writeString(folder.resolve("chain.pem"), own.chain()),
                Files.writeString(folder.resolve("key.pem"), own.secret()));
        var protocols = new TinyServer.Protocols(Optional.of(certificates), true);
        try (var server = new TinyServer(folder, 1 << 20, HttpServer.Times.USUAL, protocols, routes())) {
            try (var socket = http2(own, server.port())) {
                var out = socket.getOutputStream();
                out.write(Http2Frames.PREFACE);
                out.write(Http2Frames.frame(Http2Frames.SETTINGS, 0, 0, new byte[0]));
                out.write(Http2Frames.get("/wait"));
                out.flush();
                Eventually.within(LONG, () -> waits.get() == 1);
            }

            Eventually.within(LONG, () -> waiting.get() == 0 || waits.get() > 10);

            assertThat(waits).hasValue(1);
        }
    }

    /// The first one is reset: its request ends at once, and not that of the second one.
    @Test
    void connectionsFromThePortOfOneThatWaitsAreWatchedToo(@TempDir Path folder) throws IOException {
        try (var server = new TinyServer(folder, 1 << 20, SHORT, routes())) {
            int port;
            try (var first = from(0, server.port())) {
                port = first.getLocalPort();
                ask(first, "/wait-once");
                Eventually.within(LONG, () -> waits.get() == 1);
                first.setSoLinger(true, 0); // it is reset
            }
            try (var second = from(port, server.port())) {
                second.setSoTimeout((int) LONG.toMillis());
                ask(second, "/wait-once");
                Eventually.within(LONG, () -> waits.get() == 2);
                Eventually.within(LONG, () -> server.connections() == 1 && waiting.get() == 1);

                bell.release(1);
                Eventually.within(LONG, () -> waiting.get() == 0);
                String all = new String(second.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

                assertThat(all).endsWith("\"it came\""); // and then it was closed, as no request came
            }
            Eventually.within(LONG, () -> server.connections() == 0);
        }
    }

    private static void ask(Socket socket, String path) throws IOException {
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static Socket from(int own, int to) throws IOException {
        var socket = new Socket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), own));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), to));
        return socket;
    }

    private static SSLSocket http2(SelfSigned own, int port) throws Exception {
        var socket = (SSLSocket) own.trusting().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        var parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }
}
