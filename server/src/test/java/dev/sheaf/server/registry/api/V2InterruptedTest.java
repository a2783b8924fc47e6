package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.V2Scenario;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Chunks whose connection breaks: what came is kept, and the client goes on behind it.
class V2InterruptedTest extends V2Scenario {
    /// Announces all of the bytes, sends some, and breaks the connection.
    private void cut(String upload, byte[] bytes, int sent, String header) throws IOException {
        var address = URI.create(app().url());
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            String head = "PATCH " + upload + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + app().admin()
                    + "\r\nContent-Type: application/octet-stream\r\n" + header + "Content-Length: " + bytes.length
                    + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(bytes, 0, sent);
            socket.getOutputStream().flush();
        }
    }

    private int held(String upload) {
        var status = call("GET", upload, null);
        assertThat(status.status()).isEqualTo(204);
        String range = status.header("Range");
        int last = Integer.parseInt(range.substring(range.indexOf('-') + 1));
        return last == 0 ? 0 : last + 1;
    }

    @Test
    void theClientGoesOnWhereItBroke() throws IOException {
        byte[] whole = random(300_000);
        for (String header : new String[] {"", "Content-Range: 0-299999\r\n"}) {
            String upload = begin("cut/kit");
            cut(upload, whole, 200_000, header);
            Eventually.within(Duration.ofSeconds(60), () -> held(upload) > 0);

            int held = held(upload);
            var rest = Arrays.copyOfRange(whole, held, whole.length);
            var stale = call("PATCH", upload, whole, "Content-Range", "0-299999");
            var resumed = call("PATCH", upload, rest, "Content-Range", held + "-299999");
            var ended = call("PUT", upload + "?digest=" + Digest.sha256(whole), null);

            assertThat(held).isLessThanOrEqualTo(200_000);
            assertRefused(stale, 416, "BLOB_UPLOAD_INVALID");
            assertThat(stale.header("Range")).isEqualTo("0-" + (held - 1));
            assertThat(resumed.status()).isEqualTo(202);
            assertThat(ended.status()).as(ended.text()).isEqualTo(201);
            assertThat(call("GET", "/v2/cut/kit/blobs/" + Digest.sha256(whole), null)
                            .response()
                            .body())
                    .isEqualTo(whole);
            call("DELETE", "/v2/cut/kit/blobs/" + Digest.sha256(whole), null);
        }
    }
}
