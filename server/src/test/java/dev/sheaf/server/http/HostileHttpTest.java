package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Gen;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.OneStack;
import dev.sheaf.server.testing.RawHttp;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests that no client sends, on the wire: whatever comes, the server answers within its own rules or closes
/// the connection, and goes on.
@Timeout(300)
@SuppressWarnings("NullAway.Init") // set by JUnit
@OneStack
@Tag("slow")
class HostileHttpTest extends OnEveryStack {
    private static final int CASES = Integer.getInteger("sheaf.requests", 1_500);
    private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)(?:\\.\\.\\.)?}");
    private static final String DIGEST = "sha256:" + "0123456789abcdef".repeat(4);
    private static final List<String> VALUES = List.of(
            "acme",
            "kit",
            "1.0.0",
            "latest",
            DIGEST,
            "SKILL.md",
            "default",
            "00000000-0000-0000-0000-000000000000",
            "..",
            "%2e%2e",
            "%2F",
            "%00",
            "%zz",
            "%",
            "%F0%9F%98%80",
            "%C3%28",
            "a%20b",
            "x".repeat(300),
            "-",
            "_",
            "sha256:",
            "sha256:zz",
            "^1.2",
            "%3Aresolve",
            "A",
            "\u00e9",
            "a:b:c",
            "*",
            "1-1-1-1-1",
            "null",
            "'\"<>");
    private static final List<String> QUERIES = List.of(
            "n",
            "last",
            "limit",
            "cursor",
            "digest",
            "mount",
            "from",
            "tag",
            "version",
            "state",
            "scope",
            "service",
            "account",
            "path",
            "digest-algorithm",
            "artifactType",
            "if-revision",
            "namespace",
            "q",
            "");
    private static final List<String> HEADERS = List.of(
            "Range",
            "Content-Range",
            "If-Match",
            "If-None-Match",
            "If-Range",
            "Content-Type",
            "Accept",
            "Expect",
            "X-Request-Id",
            "traceparent",
            "Origin",
            "X-Forwarded-For",
            "Transfer-Encoding",
            "Content-Encoding",
            "Accept-Encoding",
            "Connection",
            "Upgrade",
            "Cookie",
            "Idempotency-Key",
            "Content-Length",
            "Host");
    private static final List<String> HEADER_VALUES = List.of(
            "bytes=0-1",
            "bytes=-1",
            "0-5",
            "*",
            "\"x\"",
            "application/json",
            "application/vnd.oci.image.manifest.v1+json",
            "100-continue",
            "gzip",
            "chunked",
            "close",
            "keep-alive",
            "h2c",
            "-1",
            "0",
            "9999999999999999999999",
            "",
            "\u00ff\u00fe",
            "a,b,c",
            "x".repeat(2_000),
            "text/plain; charset=nope",
            "bytes=9-1,2-3,-",
            ":::",
            "W/\"\"");
    private static final List<String> BODIES = List.of(
            "",
            "{}",
            "[]",
            "null",
            "{\"name\":1}",
            "{\"a\":",
            "[".repeat(5_000),
            "{\"a\":".repeat(5_000),
            "\u00ff\u00fe\0",
            "{\"version\":\"1.0.0\",\"manifest\":[{\"logicalPath\":\"a\",\"contentText\":\"x\"}]}",
            "{\"name\":\"\\ud800\",\"version\":\"1.0.0\",\"manifest\":[]}",
            "{\"tag\":null,\"scopes\":[null,1,{}]}",
            "{\"name\":\"x\",\"scopes\":[\"read\"],\"expiresAt\":\"never\"}",
            "{\"handle\":\"..\"}",
            "{\"a\":1e999999999}",
            "grant_type=password&password=%zz",
            "{\"schemaVersion\":2,\"layers\":{},\"config\":[]}");

    private RawHttp wire;

    @Override
    public void prepare() {
        wire = new RawHttp(app().host());
        assertThat(app().push("acme/kit", "1.0.0", "public", "text").status()).isEqualTo(201);
    }

    @Test
    void noRequestIsAnsweredWithAnInternalError() {
        Gen.forAll(CASES, gen -> {
            String request = request(gen);
            int status = RawHttp.status(wire.send(RawHttp.bytes(request)));
            assertThat(status)
                    .as(() -> "the answer to\n" + request.substring(0, Math.min(3_000, request.length())))
                    .satisfiesAnyOf(
                            code -> assertThat(code).isLessThan(500),
                            code -> assertThat(code).isIn(501, 505));
        });
        assertServes();
    }

    private String request(Gen gen) {
        Route route = gen.of(app().routes());
        String method = gen.chance(0.8)
                ? route.method().name()
                : gen.of(
                        List.of("HEAD", "OPTIONS", "TRACE", "PUT", "POST", "PATCH", "DELETE", "get", "FOO", "CONNECT"));
        String body = gen.of(BODIES);
        var request = new StringBuilder(method + " " + path(gen, route.pattern()) + query(gen) + " HTTP/1.1\r\n");
        request.append("Connection: close\r\n");
        if (gen.chance(0.95)) {
            request.append("Host: ")
                    .append(gen.chance(0.9) ? app().host() : gen.of(VALUES))
                    .append("\r\n");
        }
        if (gen.chance(0.85)) {
            request.append("Authorization: Bearer ").append(app().admin()).append("\r\n");
        }
        if (gen.chance(0.8)) {
            request.append("Content-Length: ").append(body.length() + (gen.chance(0.1) ? gen.number(-3, 9) : 0));
            request.append("\r\n");
        }
        for (int i = gen.number(0, 4); i > 0; i--) {
            request.append(gen.of(HEADERS))
                    .append(": ")
                    .append(gen.of(HEADER_VALUES))
                    .append("\r\n");
        }
        return request.append("\r\n").append(body).toString();
    }

    private static String path(Gen gen, String pattern) {
        var path = new StringBuilder();
        Matcher matcher = PARAMETER.matcher(pattern);
        while (matcher.find()) {
            matcher.appendReplacement(path, Matcher.quoteReplacement(value(gen, matcher.group(1))));
        }
        return matcher.appendTail(path).toString();
    }

    /// Often what there is, so that requests get behind the first door.
    private static String value(Gen gen, String parameter) {
        if (gen.chance(0.5)) {
            return gen.of(VALUES);
        }
        return switch (parameter) {
            case "namespace" -> "acme";
            case "bundle" -> "kit";
            case "organization", "handle" -> "default";
            case "version" -> "1.0.0";
            case "path" -> "SKILL.md";
            case "digest" -> DIGEST;
            default -> "latest";
        };
    }

    private static String query(Gen gen) {
        var query = new StringBuilder(gen.chance(0.5) ? "?" : "");
        for (int i = query.isEmpty() ? 0 : gen.number(0, 4); i > 0; i--) {
            query.append(gen.of(QUERIES))
                    .append(gen.chance(0.9) ? "=" : "")
                    .append(gen.of(VALUES))
                    .append('&');
        }
        return query.toString();
    }

    /// Request lines, headers and bodies that are malformed; `\r`, `\n` and `\0` stand for themselves.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "an empty line                 | \\r\\n\\r\\n",
                "no version                    | GET /\\r\\n\\r\\n",
                "no path                       | GET\\r\\n\\r\\n",
                "another version               | GET / HTTP/3.7\\r\\nHost: h\\r\\n\\r\\n",
                "HTTP/1.0                      | GET /health/live HTTP/1.0\\r\\n\\r\\n",
                "HTTP/2 in the clear           | PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n",
                "bare line feeds               | GET /health/live HTTP/1.1\\nHost: h\\n\\n",
                "NUL in the path               | GET /health\\0 HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n",
                "NUL in a header               | GET / HTTP/1.1\\r\\nHost: h\\r\\nX: a\\0b\\r\\n\\r\\n",
                "a header without colon        | GET / HTTP/1.1\\r\\nHost: h\\r\\nnothing\\r\\n\\r\\n",
                "a folded header               | GET / HTTP/1.1\\r\\nHost: h\\r\\nX: a\\r\\n b\\r\\n\\r\\n",
                "a space before the colon      | GET / HTTP/1.1\\r\\nHost : h\\r\\n\\r\\n",
                "two hosts                     | GET / HTTP/1.1\\r\\nHost: a\\r\\nHost: b\\r\\n\\r\\n",
                "the absolute form             | GET http://evil.example/v2/ HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n",
                "the asterisk form             | OPTIONS * HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n",
                "a tunnel                      | CONNECT evil.example:443 HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n",
                "two different lengths         | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 3\\r\\nContent-Length: 4\\r\\n\\r\\na=bc",
                "a list of lengths             | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 3, 3\\r\\n\\r\\na=b",
                "a negative length             | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: -1\\r\\n\\r\\n",
                "a signed length               | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: +3\\r\\n\\r\\na=b",
                "a length that is no number    | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: abc\\r\\n\\r\\n",
                "a length beyond a long        | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 99999999999999999999\\r\\n\\r\\n",
                "a length with fewer bytes     | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 100\\r\\n\\r\\na=b",
                "a length and chunks           | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 3\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n",
                "an unknown coding             | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: gzip\\r\\n\\r\\n",
                "a chunk size that is none     | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nzz\\r\\nab\\r\\n0\\r\\n\\r\\n",
                "a negative chunk size         | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n-1\\r\\nab\\r\\n0\\r\\n\\r\\n",
                "a huge chunk size             | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nffffffffffffffffff\\r\\nab",
                "a chunk that is cut off       | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n10\\r\\nab",
                "a chunk longer than its size  | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1\\r\\nabcdef\\r\\n0\\r\\n\\r\\n",
                "chunks without end            | POST /v2/token HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1\\r\\na\\r\\n",
                "TLS                           | \\x16\\x03\\x01\\x02\\x00\\x01\\x00\\x01\\xfc\\x03\\x03",
            })
    void malformedRequestsAreRefusedOrDropped(String what, String request) {
        String answer = wire.send(RawHttp.bytes(unescaped(request)));

        assertNoServerError(what, answer);
        assertServes();
    }

    private static String unescaped(String text) {
        return Pattern.compile("\\\\x([0-9a-f]{2})")
                .matcher(text.replace("\\r", "\r").replace("\\n", "\n").replace("\\0", "\0"))
                .replaceAll(hex -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(hex.group(1), 16))));
    }

    @Test
    void bombsOfHeadersAndPathsAreRefused() {
        String line = "GET /health/live HTTP/1.1\r\nHost: h\r\nConnection: close\r\n";
        for (String request : List.of(
                line + "X: " + "a".repeat(5_000_000),
                line + "X: a\r\n".repeat(500_000) + "\r\n",
                line + ("X".repeat(60_000) + ": a\r\n").repeat(50) + "\r\n",
                "GET /" + "a".repeat(5_000_000) + " HTTP/1.1\r\nHost: h\r\n\r\n",
                "A".repeat(5_000_000),
                "GET /v2/" + "a/".repeat(3_900) + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
                "GET /v2/_catalog?" + "n=1&".repeat(1_900) + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")) {
            assertNoServerError(request.substring(0, 20), wire.send(RawHttp.bytes(request)));
        }
        assertServes();
    }

    /// A request within a body whose length was lied about must not be taken for one.
    @Test
    void whatStandsInABodyIsNeverARequest() {
        String inner = "GET /health/live HTTP/1.1\r\nHost: h\r\nX-Request-Id: smuggled\r\n\r\n";
        for (String lengths : List.of(
                "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n",
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
                "Transfer-Encoding: xchunked\r\nContent-Length: 5\r\n",
                "Content-Length: 0\r\nContent-Length: " + (5 + inner.length()) + "\r\n")) {
            String answer = wire.send(
                    RawHttp.bytes("POST /v2/token HTTP/1.1\r\nHost: h\r\n" + lengths + "\r\n0\r\n\r\n" + inner));
            // either the inner one is a body that was read or dropped, or the chunked body ended before it
            // and it is
            // a request of its own right; never both
            assertThat(answer.split("HTTP/1\\.1 ", -1).length - 1)
                    .as(lengths + answer)
                    .isLessThanOrEqualTo(2);
            assertNoServerError(lengths, answer);
        }
    }

    /// The longest time a request may take is that of a few reads, not of its length.
    @Test
    void manyBrokenConnectionsLeaveNothingBehind() {
        System.gc();
        long before = used();
        for (int i = 0; i < 2_000; i++) {
            wire.send(RawHttp.bytes("POST /v2/acme/kit/blobs/uploads/ HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer "
                    + app().admin() + "\r\nContent-Length: 1000000\r\n\r\n"));
        }
        System.gc();
        assertThat(used() - before).as("bytes kept").isLessThan(64L << 20);
        assertServes();
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void assertNoServerError(String what, String answer) {
        assertThat(RawHttp.status(answer))
                .as(what + ": " + answer)
                .satisfiesAnyOf(
                        code -> assertThat(code).isLessThan(500),
                        code -> assertThat(code).isIn(501, 505));
    }

    /// Ready again soon, where all of it kept the machine so busy that the node missed what its database says.
    private void assertServes() {
        Eventually.within(
                Duration.ofSeconds(30), () -> app().get("/health/ready", null).status() == 200);
        assertThat(new String(
                        app().get("/v2/acme/kit/tags/list", null).response().body(), StandardCharsets.UTF_8))
                .contains("kit");
    }
}
