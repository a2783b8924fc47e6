package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Headers of a request by which somebody might say who calls, where, or what is meant.
class BelievedHeadersTest {
    private static final List<String> WHERE_NAMES_STAND = List.of(
            "GET /v1/namespaces/acme/bundles/kit:resolve",
            "GET /v1/namespaces/acme/bundles/none",
            "GET /v1/hub/bundles?limit=1",
            "GET /v1/hub/bundles/acme/kit/feed.atom",
            "GET /.well-known/oauth-authorization-server",
            "GET /v2/",
            "GET /v1/organizations/default/api-keys");

    @TempDir
    private Path folder;

    private TestApp app;

    @BeforeEach
    void start() {
        app = TestApp.start(folder, Map.of("trusted-proxies", "127.0.0.0/8", "rate-anonymous-reads", "100000"));
        assertThat(app.push("acme/kit", "1.0.0", "public", "# Kit").status()).isEqualTo(201);
        assertThat(app.push("acme/other", "1.0.0", "public", "# Other").status())
                .isEqualTo(201);
    }

    @AfterEach
    void stop() {
        app.close();
    }

    /// Not even from a trusted proxy, which passes on what it does not know.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Forwarded               | for=192.0.2.7;host=evil.example;proto=https",
                "X-Forwarded-Port        | 666",
                "X-Forwarded-Prefix      | /evil",
                "X-Forwarded-Server      | evil.example",
                "X-Forwarded-Scheme      | evil",
                "X-Forwarded-Proto       | evil",
                "X-Forwarded-Host        | evil.example/path",
                "X-Host                  | evil.example",
                "X-HTTP-Host-Override    | evil.example",
                "X-Original-URL          | /evil",
                "X-Rewrite-URL           | /evil",
                "X-HTTP-Method-Override  | DELETE",
                "X-Real-IP               | 192.0.2.7",
                "X-Client-IP             | 192.0.2.7",
                "True-Client-IP          | 192.0.2.7",
                "CF-Connecting-IP        | 192.0.2.7",
                "Referer                 | https://evil.example/",
                "Origin                  | https://evil.example",
                "Accept-Language         | ../../evil, *;q=0",
                "Via                     | 1.1 evil.example",
                "From                    | evil@evil.example",
            })
    void isNotRead(String header, String value) {
        for (String request : WHERE_NAMES_STAND) {
            var plain = send(request, "X-Request-Id", "same");
            var believed = send(request, header, value);

            assertThat(believed.status()).as(request).isEqualTo(plain.status());
            assertThat(believed.text()).as(request).isEqualTo(plain.text());
            assertThat(believed.response().headers().toString())
                    .as(request)
                    .doesNotContain("evil", ":666", "192.0.2.7");
        }
    }

    /// A host that is not configured reaches neither a header nor a URL.
    @Test
    void aHostOfSomebodyElseStandsNowhere() {
        for (String request : WHERE_NAMES_STAND) {
            var reply = send(request, "X-Forwarded-Host", "evil.example");

            assertThat(reply.status()).as(request).isEqualTo(421);
            assertThat(reply.response().headers().toString()).as(request).doesNotContain("evil");
            assertThat(reply.text()).as(request).doesNotContain("//evil.example");
        }
    }

    /// They name a request in logs and audit rows, so they hold nothing that could be more than a name.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "X-Request-Id | \"quoted\"",
                "X-Request-Id | -dash",
                "X-Request-Id | a b",
                "X-Request-Id | ${jndi:ldap://evil.example}",
                "X-Request-Id | <script>evil</script>",
                "traceparent  | 00-evil-evil-00",
                "traceparent  | 00-00000000000000000000000000000000-0000000000000000-00",
            })
    void anIdThatIsNoneIsReplaced(String header, String value) {
        var reply = send("GET /v1/namespaces/acme/bundles/kit:resolve", header, value);

        if (header.equals("X-Request-Id")) {
            assertThat(reply.header("X-Request-Id")).matches("[0-9a-f]{32}");
        }
        assertThat(reply.header("X-Trace-Id")).matches("[0-9a-f]{32}").isNotEqualTo("0".repeat(32));
    }

    @Test
    void anIdWithoutEndIsReplaced() {
        assertThat(send("GET /health/live", "X-Request-Id", "a".repeat(129)).header("X-Request-Id"))
                .matches("[0-9a-f]{32}");
        assertThat(send("GET /health/live", "X-Request-Id", "a".repeat(128)).header("X-Request-Id"))
                .isEqualTo("a".repeat(128));
    }

    private Reply send(String request, String header, String value) {
        var parts = request.split(" ");
        boolean admin = parts[1].contains("api-keys");
        var builder = app.request(parts[0], parts[1], admin ? app.admin() : null, null)
                .setHeader(header, value);
        return app.send(header.equals("X-Request-Id") ? builder : builder.setHeader("X-Request-Id", "same"));
    }
}
