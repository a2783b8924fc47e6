package dev.sheaf.engine.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.net.OutgoingClient.Call;
import dev.sheaf.engine.net.OutgoingClient.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutgoingClientTest {
    private static final Limits LIMITS = new Limits(Duration.ofSeconds(20), 1_000);
    private static final AllowedTargets PLAIN = new AllowedTargets(true, false);
    private static final String FINE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Told: yes\r\n\r\nok";

    private final BlockingQueue<String> heads = new LinkedBlockingQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    private ServerSocket server;
    private volatile Answering answering = socket -> say(socket, FINE);

    private interface Answering {
        void answer(Socket socket) throws IOException, InterruptedException;
    }

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    var socket = server.accept();
                    connections.incrementAndGet();
                    Thread.ofVirtual().start(() -> serve(socket));
                }
            } catch (IOException e) {
                // the test is over
            }
        });
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = socket.getInputStream();
            var head = new StringBuilder();
            for (int b = in.read(); b >= 0; b = in.read()) {
                head.append((char) b);
                if (head.toString().endsWith("\r\n\r\n")) {
                    heads.add(head.toString());
                    head.setLength(0);
                    answering.answer(socket);
                }
            }
        } catch (IOException | InterruptedException e) {
            // the other side has gone
        }
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private Call get(String host) {
        return Call.get(URI.create("http://" + host + ":" + server.getLocalPort() + "/hook"), LIMITS);
    }

    private OutgoingClient client(AllowedTargets reach, String... addresses) {
        var found = Arrays.stream(addresses).map(InetAddress::ofLiteral).toList();
        return new OutgoingClient(reach, (host, owner) -> found, null);
    }

    @Test
    void anAnswerIsReadWithItsHeaders() throws Exception {
        try (var client = client(AllowedTargets.OPERATOR, "127.0.0.1")) {
            var reply = client.send(get("hooks.example.org"));

            assertThat(reply.status()).isEqualTo(200);
            assertThat(new String(reply.body(), StandardCharsets.US_ASCII)).isEqualTo("ok");
            assertThat(reply.header("x-told")).contains("yes");
            assertThat(heads.poll(60, TimeUnit.SECONDS))
                    .startsWith("GET /hook HTTP/1.1\r\n")
                    .contains("Host: hooks.example.org:" + server.getLocalPort() + "\r\n")
                    .contains("User-Agent: Sheaf\r\n");
        }
    }

    @Test
    void aConnectionIsUsedAgain() throws Exception {
        try (var client = client(AllowedTargets.OPERATOR, "127.0.0.1")) {
            client.send(get("hooks.example.org"));
            client.send(get("hooks.example.org"));
        }
        assertThat(connections).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "10.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.169.254", "64:ff9b::7f00:1"})
    void aNameOfAnInnerAddressIsNotCalled(String address) {
        try (var client = client(PLAIN, address)) {
            assertThatThrownBy(() -> client.send(get("hooks.example.org")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not known on the public internet");
        }
        assertThat(connections).hasValue(0);
    }

    @Test
    void oneInnerAddressAmongOthersIsEnoughToRefuse() {
        try (var client = client(PLAIN, "1.1.1.1", "127.0.0.1")) {
            assertThatThrownBy(() -> client.send(get("hooks.example.org"))).hasMessageContaining("public internet");
        }
    }

    /// Whoever owns a name may give another address each time it is asked for.
    @Test
    void theConnectionGoesToTheAddressThatWasLookedAt() throws Exception {
        var lookups = new AtomicInteger();
        try (var client = new OutgoingClient(
                AllowedTargets.OPERATOR,
                (host, owner) ->
                        List.of(InetAddress.ofLiteral(lookups.getAndIncrement() == 0 ? "127.0.0.1" : "192.0.2.1")),
                null)) {
            assertThat(client.send(get("hooks.example.org")).status()).isEqualTo(200);
        }
        assertThat(lookups).hasValue(1);
    }

    @Test
    void aRedirectIsAnAnswerLikeAnyOther() throws Exception {
        answering = socket -> say(
                socket,
                "HTTP/1.1 307 Elsewhere\r\nContent-Length: 0\r\nLocation: http://127.0.0.1:" + server.getLocalPort()
                        + "/secret\r\n\r\n");
        try (var client = client(AllowedTargets.OPERATOR, "127.0.0.1")) {
            assertThat(client.send(get("hooks.example.org")).status()).isEqualTo(307);
        }
        assertThat(heads).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Connection: close", "Content-Length: 999999999999", "Transfer-Encoding: chunked"})
    void noMoreIsReadThanWasAskedFor(String framing) throws Exception {
        String piece = framing.endsWith("chunked") ? "a\r\nagain and \r\n" : "again and ";
        answering = socket -> {
            say(socket, "HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n");
            while (true) {
                say(socket, piece);
            }
        };
        try (var client = client(AllowedTargets.OPERATOR, "127.0.0.1")) {
            var reply = client.send(get("hooks.example.org"));

            assertThat(reply.body()).hasSize(1_000);
            assertThat(reply.whole()).isFalse();
        }
    }

    @Test
    void headersWithoutEndAreNoAnswer() {
        answering = socket -> {
            say(socket, "HTTP/1.1 200 OK\r\n");
            while (true) {
                say(socket, "X-Again: and again\r\n");
            }
        };
        try (var client = client(AllowedTargets.OPERATOR, "127.0.0.1")) {
            assertThatThrownBy(() -> client.send(get("hooks.example.org"))).isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", FINE + "x"})
    void whoeverStopsInTheMiddleIsGivenUp(String start) throws Exception {
        answering = socket -> {
            say(socket, start);
            Thread.currentThread().join(); // until the other side closes
        };
        var soon = new Call(
                "POST",
                get("hooks.example.org").address(),
                Map.of("Content-Type", "application/json"),
                "{}".getBytes(StandardCharsets.US_ASCII),
                new Limits(Duration.ofMillis(300), 10),
                Call.OPERATOR);
        try (var client = client(AllowedTargets.OPERATOR, "127.0.0.1")) {
            if (start.startsWith(FINE)) {
                assertThat(client.send(soon).status()).isEqualTo(200);
            } else {
                assertThatThrownBy(() -> client.send(soon))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("in full");
            }
        }
    }
}
