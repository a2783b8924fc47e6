package dev.sheaf.engine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.TinyServer;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.testing.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A body that comes in tiny pieces while nobody reads it.
@Timeout(60)
class SmallPiecesTest {
    private static final int CHUNKS = 100_000;

    private static int length(InputStream body) {
        try {
            return body.readAllBytes().length;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void holdsTinyPiecesTogether(@TempDir Path folder) throws Exception {
        var begun = new CompletableFuture<HttpExchange>();
        var counted = new CompletableFuture<String>();
        var route = new Route(RouteMethod.POST, "/", RoutePermission.NONE, call -> {
            begun.complete(call.exchange());
            counted.join();
            return Answer.ok(Map.of("a", length(call.exchange().body())));
        });
        try (var server = new TinyServer(folder, 8 << 20, List.of(route));
                var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            var out = socket.getOutputStream();
            out.write("POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            out.write("1\r\nx\r\n".repeat(CHUNKS).getBytes(StandardCharsets.US_ASCII));
            out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            var body = Objects.requireNonNull(begun.get().received());
            try {
                Eventually.within(Duration.ofSeconds(20), () -> body.available() == CHUNKS);

                assertThat(body.buffers()).isLessThan(CHUNKS / 1_000);
            } finally {
                counted.complete("");
            }
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .endsWith("{\"a\":" + CHUNKS + "}");
        }
    }
}
