package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.http.ConnectionLimit;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.testing.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One address holds all that it may.
@Timeout(60)
@SuppressWarnings("NullAway.Init") // set by JUnit
class ConnectionsTest {
    private static final String GREEDY = "127.0.0.2";
    private static final int SPARE = 64;
    private static final int SPARE_EACH = 8;

    private final List<Socket> held = new ArrayList<>();
    private TinyServer server;

    @BeforeEach
    void open(@TempDir Path folder) {
        server = new TinyServer(
                folder,
                1 << 20,
                List.of(
                        new Route(
                                RouteMethod.GET,
                                "/health/live",
                                RoutePermission.NONE,
                                call -> Answer.ok(Map.of("status", "ok"))),
                        new Route(RouteMethod.GET, "/else", RoutePermission.NONE, call -> Answer.ok(Map.of("a", 1)))));
    }

    @AfterEach
    void close() throws IOException {
        for (var socket : held) {
            socket.close();
        }
        server.close();
    }

    @Test
    void othersAreServedAndHealthIsAnswered() throws IOException {
        hold(TinyServer.CONNECTIONS_EACH);

        assertThat(ask(GREEDY, "/else"))
                .startsWith("HTTP/1.1 503 ")
                .contains("max-connections", "\"throttle\":\"connections\"");
        assertThat(ask(GREEDY, "/health/live")).startsWith("HTTP/1.1 200 ");
        assertThat(ask("127.0.0.1", "/else")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void whoHasFewTakesThePlaceOfOneThatWaitsOfThoseWhoHaveMany() throws IOException {
        hold(TinyServer.CONNECTIONS_EACH);
        for (int i = TinyServer.CONNECTIONS_EACH; i < TinyServer.CONNECTIONS; i++) {
            held.add(connect("127.0.0.3"));
        }
        held.forEach(ConnectionsTest::settle);

        for (int i = 0; i < 20; i++) {
            assertThat(ask("127.0.0.1", "/else")).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void healthIsAnsweredWhileNobodyElseIs() throws IOException {
        for (int i = 0; i < TinyServer.CONNECTIONS; i++) {
            held.add(connect("127.0.0." + (2 + i / ConnectionLimit.FEW)));
        }
        held.forEach(ConnectionsTest::settle);

        assertThat(ask("127.0.0.1", "/else")).startsWith("HTTP/1.1 503 ");
        assertThat(ask("127.0.0.1", "/health/live")).startsWith("HTTP/1.1 200 ");
    }

    /// Heads that do not end take the spare connections too.
    @Test
    void answersHealthOfAnAddressWhoseUnfinishedHeadsHoldItsSpareConnections() throws IOException {
        hold(TinyServer.CONNECTIONS_EACH + SPARE_EACH);

        assertThat(ask(GREEDY, "/health/live")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void answersHealthWhileUnfinishedHeadsOfOthersHoldAllSpareConnections() throws IOException {
        for (int i = 0; i < TinyServer.CONNECTIONS + SPARE; i++) {
            held.add(connect("127.0.1." + (1 + i / ConnectionLimit.FEW)));
        }
        held.forEach(ConnectionsTest::settle);

        assertThat(ask("127.0.0.1", "/health/live")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void roomComesBack() throws IOException {
        hold(TinyServer.CONNECTIONS_EACH);
        for (var socket : held) {
            socket.close();
        }

        Eventually.within(Duration.ofSeconds(20), () -> ask(GREEDY, "/else").startsWith("HTTP/1.1 200 "));
    }

    private void hold(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            held.add(connect(GREEDY));
        }
        held.forEach(ConnectionsTest::settle);
    }

    /// A request whose head does not end.
    private static void settle(Socket socket) {
        try {
            socket.getOutputStream().write("GET /else HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new IllegalStateException("it has no room", e);
        }
    }

    private Socket connect(String from) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.port(), InetAddress.ofLiteral(from), 0);
    }

    private String ask(String from, String path) {
        try (var socket = connect(from)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
