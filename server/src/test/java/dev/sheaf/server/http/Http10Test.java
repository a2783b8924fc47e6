package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What proxies send that are told nothing else.
@Timeout(60)
@SuppressWarnings("NullAway.Init") // set by JUnit
class Http10Test {
    private TinyServer server;

    @BeforeEach
    void open(@TempDir Path folder) {
        server = new TinyServer(
                folder,
                1 << 20,
                List.of(
                        new Route(
                                RouteMethod.GET,
                                "/json",
                                RoutePermission.NONE,
                                call -> Answer.ok(Map.of("host", call.baseUrl()))),
                        new Route(
                                RouteMethod.PUT,
                                "/body",
                                RoutePermission.NONE,
                                call -> Answer.ok(call.bytes("it", 100).length)),
                        new Route(
                                RouteMethod.GET,
                                "/long",
                                RoutePermission.NONE,
                                call -> Answer.stream("text/plain", out -> {
                                    for (int i = 0; i < 5_000; i++) {
                                        out.write(("line " + i + "\n").getBytes(StandardCharsets.US_ASCII));
                                    }
                                }))));
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void isAnsweredOnceOnAConnection() throws Exception {
        String get = "GET /json HTTP/1.0\r\n\r\n";

        assertThat(server.raw(get + get, "never"))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .contains("\r\nConnection: close\r\n")
                .containsOnlyOnce("HTTP/1.1")
                .endsWith("}");
        assertThat(server.raw("GET /json HTTP/1.0\r\nConnection: keep-alive\r\nHost: h\r\n\r\n", "never"))
                .contains("\r\nConnection: close\r\n");
    }

    @Test
    void sendsBodiesWithALength() throws Exception {
        assertThat(server.raw("PUT /body HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc", "never"))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .endsWith("\r\n\r\n3");
    }

    /// A body that is not told from what follows it ends with its connection.
    @Test
    void getsNoChunks() throws Exception {
        String old = server.raw("GET /long HTTP/1.0\r\n\r\n", "never");
        String expected = "line 4999\n";

        assertThat(old).doesNotContainIgnoringCase("transfer-encoding").endsWith(expected);
        String body = old.substring(old.indexOf("\r\n\r\n") + 4);
        assertThat(body.lines()).hasSize(5_000).allMatch(line -> line.matches("line \\d+"));
        assertThat(server.raw("GET /long HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "never"))
                .containsIgnoringCase("transfer-encoding: chunked")
                .endsWith("0\r\n\r\n");
    }

    @Test
    void anUnknownVersionIsRefused() throws Exception {
        assertThat(server.raw("GET /json HTTP/0.9\r\nHost: h\r\n\r\n", "never")).startsWith("HTTP/1.1 505 ");
    }
}
