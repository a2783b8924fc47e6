package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.RawHttp;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Bytes that are announced, and come one by one or never, take nothing from others.
@Timeout(100)
@SuppressWarnings("NullAway.Init") // set by JUnit
class PromisedBytesTest {
    private static final int MEMORY = 8 << 20;

    private final List<Socket> held = new ArrayList<>();
    private TestApp app;

    @BeforeEach
    void open(@TempDir Path folder) {
        app = TestApp.start(folder, Map.of("memory-budget-bytes", Integer.toString(MEMORY)));
    }

    @AfterEach
    void close() throws IOException {
        for (var socket : held) {
            socket.close();
        }
        app.close();
    }

    @Test
    void theyAreNotTakenFromTheMemoryOfThoseWhoSend() throws IOException {
        for (int i = 0; i < 64; i++) {
            promise(1 << 20, "{");
        }

        assertThat(app.push("acme/kit", "1.0.0", "public", "x".repeat(1 << 20)).status())
                .isEqualTo(201);
    }

    /// Those that came take no more than the share of an address without a credential.
    @Test
    void thoseThatCameNeitherBeyondAShare() throws IOException {
        for (int i = 0; i < 64; i++) {
            promise(1 << 20, "{\"token\": \"" + "x".repeat(200_000));
        }

        assertThat(app.push("acme/kit", "1.0.0", "public", "x".repeat(1 << 20)).status())
                .isEqualTo(201);
    }

    @Test
    void aSignInIsSmall() {
        String large = "{\"email\": \"a@example.org\", \"password\": \"" + "x".repeat(20_000) + "\"}";

        assertThat(app.post("/v1/sessions", null, large).status()).isEqualTo(413);
    }

    private void promise(int announced, String sent) throws IOException {
        var socket = new Socket(
                InetAddress.getLoopbackAddress(), Integer.parseInt(app.host().split(":")[1]));
        held.add(socket);
        socket.getOutputStream()
                .write(RawHttp.bytes(
                        "POST /v1/leaked-credentials HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                                + "Content-Length: " + announced + "\r\n\r\n" + sent));
    }
}
