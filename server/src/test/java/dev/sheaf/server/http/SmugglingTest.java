package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.RawHttp;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests whose end, host or credential a proxy in front might read otherwise: none of them is carried out, and
/// what follows one is never taken for a request.
@SuppressWarnings("NullAway.Init") // set by JUnit
class SmugglingTest {
    private static final String INNER = "GET /health/live HTTP/1.1\r\nHost: h\r\nX-Request-Id: smuggled\r\n\r\n";

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

    /// `\r`, `\n` and `\t` stand for themselves; another request follows the body `a=b`, or what stands for it.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "400 | Content-Length: 5\\r\\nTransfer-Encoding: chunked     | 0\\r\\n\\r\\n",
                "400 | Transfer-Encoding: chunked\\r\\nContent-Length: 5     | 0\\r\\n\\r\\n",
                "400 | Transfer-Encoding: xchunked                           | 0\\r\\n\\r\\n",
                "400 | Transfer-Encoding: chunked, identity                  | 0\\r\\n\\r\\n",
                "501 | Transfer-Encoding: gzip, chunked                      | 0\\r\\n\\r\\n",
                "400 | Transfer-Encoding: chunked\\r\\nTransfer-Encoding: identity | 0\\r\\n\\r\\n",
                "400 | Transfer-Encoding: `chunked`                          | 0\\r\\n\\r\\n",
                "400 | Transfer-Encoding : chunked                           | 0\\r\\n\\r\\n",
                "400 | Transfer-Encoding:\\r\\n chunked                      | 0\\r\\n\\r\\n",
                "400 | X: y\\nTransfer-Encoding: chunked                     | 0\\r\\n\\r\\n",
                "400 | X: y\\rTransfer-Encoding: chunked                     | 0\\r\\n\\r\\n",
                "400 | Content-Length: 0\\r\\nContent-Length: 3              | a=b",
                "400 | Content-Length: 3\\r\\nContent-Length: 3              | a=b",
                "400 | Content-Length: 3, 3                                  | a=b",
                "400 | Content-Length: +3                                    | a=b",
                "400 | Content-Length: 0x3                                   | a=b",
                "400 | Content-Length : 3                                    | a=b",
                "200 | Transfer-Encoding: chunked                            | 3\\r\\na=b\\r\\n0\\r\\n\\r\\n",
                "200 | Transfer-Encoding:\\tChunked                          | 3\\r\\na=b\\r\\n0\\r\\n\\r\\n",
                "400 | Transfer-Encoding: chunked                            | 3\\r\\na=bXX0\\r\\n\\r\\n",
                "400 | Transfer-Encoding: chunked                            | +3\\r\\na=b\\r\\n0\\r\\n\\r\\n",
                "400 | Transfer-Encoding: chunked                            | 0x3\\r\\na=b\\r\\n0\\r\\n\\r\\n",
                "400 | Transfer-Encoding: chunked                            | 3;x\\na=b\\r\\n0\\r\\n\\r\\n",
                "400 | Transfer-Encoding: chunked                            | 3\\na=b\\n0\\n\\n",
                "200 | Transfer-Encoding: chunked                            | 3\\r\\na=b\\r\\n0\\r\\nX: y\\r\\n\\r\\n",
            })
    void nothingFollowsABodyWhoseEndIsInDoubt(int status, String lengths, String body) {
        String request = "POST /v2/token HTTP/1.1\r\nHost: h\r\n" + lengths + "\r\n\r\n" + body + INNER;

        String answer = wire.send(RawHttp.bytes(unescaped(request)));

        assertThat(RawHttp.status(answer)).as(answer).isEqualTo(status);
        assertThat(answer).doesNotContain("smuggled");
    }

    /// Who filters methods in front reads them as they are, so they mean what they are (RFC 9110, section 9.1).
    @ParameterizedTest
    @ValueSource(strings = {"post", "PoSt", "pOST", "FOO", "foo", "get", "head", "Head", "options", "connect"})
    void aMethodInOtherLettersIsAnotherMethod(String method) {
        String answer = wire.send(RawHttp.bytes(method
                + " /v2/token HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\n\r\na=b"
                + INNER.replace("X-Request-Id: smuggled", "Connection: close")));

        assertThat(answer).startsWith("HTTP/1.1 405 ").containsIgnoringCase("\r\nAllow: ");
        assertThat(answer).contains(method + " is not possible here", "\"status\":\"up\"");
    }

    /// What a target says of its host is what a proxy in front goes by (RFC 9112, section 3.2.2).
    @ParameterizedTest
    @CsvSource({
        "421, http://evil.example/v1/limits, localhost",
        "421, HTTP://evil.example:80/v1/limits, localhost",
        "421, https://evil.example//v1/limits, h",
        "400, http://localhost@evil.example/v1/limits, localhost",
        "400, http://evil.example:x/v1/limits, localhost",
        "400, http:///v1/limits, localhost",
        "400, x/y://localhost/v1/limits, localhost",
        "200, http://localhost/v1/limits, evil.example",
        "200, http://LOCALHOST:1/v1/limits, localhost",
        "421, /v1/limits, evil.example",
    })
    void theHostInATargetCounts(int status, String target, String host) {
        String answer = wire.send(
                RawHttp.bytes("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"));

        assertThat(RawHttp.status(answer)).as(answer).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Host: a\r\nHost: b\r\n",
                "Host:\r\n",
                "Host: a b/c@d\r\n",
                "Host: h\r\n X: folded\r\n",
                "Host: h\r\nX(y): 1\r\n",
                "Host : h\r\n",
            })
    void aHostInDoubtIsRefused(String headers) {
        assertThat(RawHttp.status(wire.send(RawHttp.bytes("GET /health/live HTTP/1.1\r\n" + headers + "\r\n"))))
                .isEqualTo(400);
    }

    @Test
    void thereAreNoUpgrades() {
        String answer = wire.send(RawHttp.bytes("GET /health/live HTTP/1.1\r\nHost: h\r\n"
                + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"));

        assertThat(RawHttp.status(answer)).isEqualTo(200);
    }

    @Test
    void oneCredentialIsSentOrNone() {
        String twice = "GET /v1/publisher/me HTTP/1.1\r\nHost: h\r\nConnection: close\r\nAuthorization: Bearer "
                + app.admin() + "\r\nAuthorization: Bearer " + app.admin() + "\r\n\r\n";

        assertThat(RawHttp.status(wire.send(RawHttp.bytes(twice)))).isEqualTo(401);
    }

    /// The user name does not matter, and the password begins at the first colon (RFC 7617).
    @ParameterizedTest
    @CsvSource({"any,, 200", "Jürgen,, 200", "'',, 200", "a,b:, 401"})
    void basicCredentialsAreReadAsTheyStand(String user, String before, int status) {
        String pair = user + ":" + (before == null ? "" : before) + app.admin();
        var reply = app.send(app.request("GET", "/v2/", null, null)
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))));

        assertThat(reply.status()).isEqualTo(status);
    }

    /// What a request names and an answer repeats: Location, Link, challenges, names and ids.
    @Test
    void nothingThatIsRepeatedMakesAHeaderOfItsOwn() {
        String bad = "x%0d%0aInjected:%20yes";
        for (String path : List.of(
                "/v1/namespaces/acme/bundles/kit/assets/" + bad,
                "/v1/namespaces/" + bad + "/bundles/kit:resolve",
                "/v1/hub/bundles?limit=1&q=" + bad,
                "/v1/hub/bundles?limit=1&cursor=" + bad,
                "/v2/acme/" + bad + "/tags/list",
                "/v2/acme/kit/tags/list?n=1&last=" + bad,
                "/v2/acme/kit/manifests/" + bad,
                "/v2/acme/kit/blobs/uploads/?mount=" + bad + "&from=acme/" + bad,
                "/v2/acme/kit/referrers/" + bad,
                "/problems/" + bad)) {
            for (String method : List.of("GET", "PUT", "POST")) {
                String answer = wire.send(RawHttp.bytes(method + " " + path + " HTTP/1.1\r\nHost: h\r\n"
                        + "X-Request-Id: " + bad + "\r\nContent-Length: 2\r\nConnection: close\r\n"
                        + "Content-Type: application/octet-stream\r\nAuthorization: Bearer " + app.admin()
                        + "\r\n\r\n{}"));

                assertThat(RawHttp.status(answer)).as(path).isBetween(200, 499);
                assertThat(answer.split("\r\n\r\n", 2)[0]).doesNotContainIgnoringCase("\nInjected");
            }
        }
    }

    private static String unescaped(String text) {
        return text.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t");
    }

    /// A connection that is closed on bytes that nobody read is reset, and its last answer may be lost (RFC 9112,
    /// section 9.6).
    @Test
    void whatIsRefusedInTheMiddleOfABodyIsReadOn() throws IOException {
        byte[] chunk = RawHttp.bytes("100000\r\n" + "x".repeat(1 << 20) + "\r\n");
        int port = Integer.parseInt(app.host().substring(app.host().lastIndexOf(':') + 1));
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            var out = socket.getOutputStream();
            out.write(RawHttp.bytes("POST /v2/token HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\n\r\n"));
            for (int i = 0; i < 7; i++) {
                out.write(chunk); // fails where the connection is reset
            }
            out.write(RawHttp.bytes("0\r\n\r\n"));

            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);

            assertThat(RawHttp.status(answer)).isEqualTo(413);
            assertThat(answer).containsIgnoringCase("\r\nConnection: close\r\n");
        }
    }
}
