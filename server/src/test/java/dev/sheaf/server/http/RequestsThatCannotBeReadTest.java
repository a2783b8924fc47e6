package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.RawHttp;
import dev.sheaf.server.testing.TestApp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is refused before anybody looks for a route is refused as everything else is: with a body, ids and a reason.
@Timeout(100)
@SuppressWarnings("NullAway.Init") // set by JUnit
class RequestsThatCannotBeReadTest {
    private static TestApp app;
    private static RawHttp wire;

    @BeforeAll
    static void start(@TempDir Path folder) {
        app = TestApp.start(folder);
        wire = new RawHttp(app.host());
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    /// `{n}` stands for that many letters.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "414 | uri-too-long               | GET /v1/{9000} HTTP/1.1\\r\\nHost: h",
                "431 | headers-too-large          | GET /v1/me HTTP/1.1\\r\\nHost: h\\r\\nX: {40000}",
                "400 | bad-request                | GET /v1/me HTTP/1.1\\r\\nHost : h",
                "400 | bad-request                | GET /v1/me HTTP/1.1",
                "400 | bad-request                | GET /v1/me HTTP/1.1\\r\\nHost: a\\r\\nHost: b",
                "400 | bad-request                | GET /v1/me",
                "400 | bad-request                | GET /v1/%zz HTTP/1.1\\r\\nHost: h",
                "400 | bad-request                | GET /v1/%ff HTTP/1.1\\r\\nHost: h",
                "501 | not-implemented            | POST /v1/sessions HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: gzip, chunked",
                "505 | http-version-not-supported | GET /v1/me HTTP/2.0\\r\\nHost: h",
                "415 | unsupported-media-type     | GET /v1/me HTTP/1.1\\r\\nHost: h\\r\\nContent-Encoding: gzip",
            })
    void itsProblemIsTold(int status, String code, String head) {
        String answer = wire.send(RawHttp.bytes(filled(head) + "\r\n\r\n"));

        assertThat(RawHttp.status(answer)).as(answer).isEqualTo(status);
        assertThat(answer)
                .contains("Content-Type: application/problem+json", "X-Request-Id: ", "\"code\":\"" + code + "\"");
        assertThat(answer.contains("\"throttle\":\"size\"")).as(answer).isEqualTo(status == 414 || status == 431);
    }

    /// A connection that is closed on bytes that nobody read is reset, and its last answer may be lost (RFC 9112,
    /// section 9.6).
    @Test
    void whatFollowsARefusedHeadIsReadOn() {
        String answer = wire.send(
                RawHttp.bytes("PUT /v1/" + "a".repeat(9_000) + " HTTP/1.1\r\nHost: h\r\n\r\n" + "x".repeat(8 << 20)));

        assertThat(answer).startsWith("HTTP/1.1 414 ").contains("uri-too-long");
    }

    @Test
    void theRegistrySpeaksOciThereToo() {
        assertThat(wire.send(RawHttp.bytes("GET /v2/" + "a".repeat(9_000) + " HTTP/1.1\r\nHost: h\r\n\r\n")))
                .startsWith("HTTP/1.1 414 ")
                .contains("{\"errors\":[{");
        assertThat(wire.send(RawHttp.bytes("HEAD /v2/" + "a".repeat(9_000) + " HTTP/1.1\r\nHost: h\r\n\r\n")))
                .startsWith("HTTP/1.1 414 ")
                .endsWith("\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /v1/%zz HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n",
                "POST /v1/sessions HTTP/1.1\\r\\nHost: h\\r\\nContent-Encoding: gzip\\r\\nContent-Length: 3\\r\\n\\r\\nabc",
            })
    void whereItIsSafeTheConnectionGoesOn(String first) {
        String answer = wire.send(RawHttp.bytes(filled(first)
                + "GET /health/live HTTP/1.1\r\nHost: h\r\nX-Request-Id: second\r\nConnection: close\r\n\r\n"));

        assertThat(answer).startsWith("HTTP/1.1 4").contains("X-Request-Id: second");
    }

    /// Nobody can say whether what follows an answer that came before the body is that body.
    @Test
    void nothingFollowsABodyThatWasToWait() {
        String inner = "GET /health/live HTTP/1.1\r\nHost: h\r\nX-Request-Id: smuggled\r\n\r\n";
        String answer = wire.send(RawHttp.bytes("POST /v1/organizations HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                + "Content-Length: " + inner.length() + "\r\n\r\n" + inner));

        assertThat(answer)
                .startsWith("HTTP/1.1 401 ")
                .contains("Connection: close")
                .doesNotContain("smuggled");
    }

    @Test
    void trailersAreReadAndDropped() {
        String answer = wire.send(
                RawHttp.bytes(
                        "POST /v1/sessions HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                                + "Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\nX-More: 2\r\n\r\n"));

        assertThat(answer).startsWith("HTTP/1.1 422 ").contains("application/problem+json");
    }

    @Test
    void aPathMeansWhatPlainlyStandsThere() {
        assertThat(app.push("acme/kit", "1.2.3", "public", "text").status()).isEqualTo(201);

        assertThat(wire.send(RawHttp.bytes("GET /v1/namespaces/acme/bundles/kit:resolve?version=^1.2 HTTP/1.1\r\n"
                        + "Host: h\r\nConnection: close\r\n\r\n")))
                .startsWith("HTTP/1.1 200 ")
                .contains("1.2.3");
        assertThat(wire.send("GET /v1/hub/bundles?q=grün HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
                        .getBytes(StandardCharsets.UTF_8)))
                .startsWith("HTTP/1.1 200 ");
        assertThat(wire.send("GET /v1/namespaces/grün HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
                        .getBytes(StandardCharsets.UTF_8)))
                .startsWith("HTTP/1.1 4")
                .contains("gr%C3%BCn");
    }

    private static String filled(String text) {
        return java.util.regex.Pattern.compile("\\{(\\d+)}")
                .matcher(text.replace("\\r", "\r").replace("\\n", "\n"))
                .replaceAll(many -> "a".repeat(Integer.parseInt(many.group(1))));
    }
}
