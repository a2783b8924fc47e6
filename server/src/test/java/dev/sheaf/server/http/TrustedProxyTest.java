package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.RawHttp;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The address of a client behind a proxy: in key restrictions, in the audit log and in the addresses of answers.
class TrustedProxyTest {
    @TempDir
    private Path folder;

    @Test
    void aTrustedProxyIsBelieved() {
        try (var app = start(Map.of("trusted-proxies", "127.0.0.0/8, ::1", "allowed-hosts", "bundles.example.org"))) {
            String key = keyFor(app, "198.51.100.0/24");

            assertThat(get(app, key, "198.51.100.7").status()).isEqualTo(200);
            assertThat(get(app, key, "203.0.113.9").status()).isEqualTo(401);
            assertThat(get(app, key, "198.51.100.7, 203.0.113.9").status()).isEqualTo(401);
            assertThat(get(app, key, "junk").status()).isEqualTo(401);
            assertThat(get(app, keyFor(app, "127.0.0.0/8"), "junk").status()).isEqualTo(401);
            assertThat(get(app, keyFor(app, "::/0"), "junk").status()).isEqualTo(401);
            assertThat(changedFrom(app, "junk")).isEqualTo("unknown");
            assertThat(get(app, app.admin(), "\"junk;[::").status()).isEqualTo(200);
            assertThat(changedFrom(app, "198.51.100.7")).isEqualTo("198.51.100.7");
            assertThat(app.send(forwarded(app, app.admin(), "198.51.100.7")
                                    .header("X-Forwarded-Proto", "https")
                                    .header("X-Forwarded-Host", "bundles.example.org"))
                            .json()
                            .get("ociRef")
                            .stringValue())
                    .startsWith("bundles.example.org/");
        }
    }

    @Test
    void nobodyElseIs() {
        try (var app = start(Map.of("trusted-proxies", "192.0.2.0/24"))) {
            assertThat(get(app, keyFor(app, "198.51.100.0/24"), "198.51.100.7").status())
                    .isEqualTo(401);
            assertThat(get(app, keyFor(app, "127.0.0.1"), "198.51.100.7").status())
                    .isEqualTo(200);
            assertThat(changedFrom(app, "198.51.100.7")).isEqualTo("127.0.0.1");
            assertThat(app.send(forwarded(app, app.admin(), "198.51.100.7").header("X-Forwarded-Host", "evil.example"))
                            .json()
                            .get("ociRef")
                            .stringValue())
                    .startsWith(app.host() + "/");
        }
    }

    @Test
    void aHostThatAProxyForwardsIsBelievedOnlyWhereItIsConfigured() {
        try (var app = start(Map.of("trusted-proxies", "127.0.0.0/8", "allowed-hosts", "bundles.example.org"))) {
            var reply =
                    app.send(forwarded(app, app.admin(), "198.51.100.7").header("X-Forwarded-Host", "evil.example"));

            assertThat(reply.status()).isEqualTo(421);
            assertThat(reply.json().get("code").stringValue()).isEqualTo("misdirected-request");
            assertThat(reply.json().get("host").stringValue()).isEqualTo("evil.example");
            assertThat(reply.json().get("detail").stringValue()).contains("allowed-hosts", "public-url");
            assertThat(reply.json().get("type").stringValue()).startsWith(app.url() + "/problems/");
        }
    }

    /// What programs make of an address with a slash at its end.
    @Test
    void slashesBeforeThePathAreOne() throws Exception {
        try (var app = start(Map.of())) {
            for (String path : new String[] {"//v1/limits", "///v1/limits", "//v1/namespaces/acme/bundles"}) {
                assertThat(new RawHttp(app.host())
                                .send(RawHttp.bytes("GET " + path
                                        + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\nAuthorization: Bearer "
                                        + app.admin() + "\r\n\r\n")))
                        .startsWith("HTTP/1.1 200 ");
            }
            assertThat(new RawHttp(app.host())
                            .send(RawHttp.bytes(
                                    "GET //v1/admin/tasks HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")))
                    .startsWith("HTTP/1.1 401 ");
        }
    }

    /// What a load balancer asks a node by is no name of the service.
    @Test
    void healthIsAnsweredUnderAnyName() throws Exception {
        try (var app = start(Map.of())) {
            for (var known : Map.of("/health/live", "200", "/health/ready", "200", "/v1/limits", "421", "/no", "421")
                    .entrySet()) {
                assertThat(new RawHttp(app.host())
                                .send(RawHttp.bytes("GET " + known.getKey()
                                        + " HTTP/1.1\r\nHost: target-7.internal\r\nConnection: close\r\n\r\n")))
                        .startsWith("HTTP/1.1 " + known.getValue())
                        .doesNotContain("http://target-7.internal");
            }
        }
    }

    @Test
    void aPublicUrlWinsOverWhatAProxySays() {
        try (var app = start(Map.of("trusted-proxies", "127.0.0.0/8", "public-url", "https://bundles.example.org"))) {
            assertThat(app.send(forwarded(app, app.admin(), "198.51.100.7").header("X-Forwarded-Host", "evil.example"))
                            .json()
                            .get("ociRef")
                            .stringValue())
                    .startsWith("bundles.example.org/");
        }
    }

    private TestApp start(Map<String, String> settings) {
        var app = TestApp.start(folder, settings);
        assertThat(app.push("acme/kit", "1.0.0", "private", "# Kit").status()).isEqualTo(201);
        return app;
    }

    private static HttpRequest.Builder forwarded(TestApp app, String key, String from) {
        return app.request("GET", "/v1/namespaces/acme/bundles/kit:resolve", key, null)
                .header("X-Forwarded-For", from);
    }

    private static Reply get(TestApp app, String key, String from) {
        return app.send(forwarded(app, key, from));
    }

    private static String keyFor(TestApp app, String block) {
        return app.post("/v1/organizations/default/api-keys", app.admin(), """
                {"name": "%s", "restrictions": {"cidrs": ["%s"]}}""".formatted(block, block))
                .json()
                .get("key")
                .stringValue();
    }

    /// The address that the audit log has for a change.
    private static String changedFrom(TestApp app, String header) {
        var reply = app.send(
                app.request("POST", "/v1/organizations/default/api-keys", app.admin(), """
                        {"name": "%s"}""".formatted(UUID.randomUUID()))
                        .header("X-Forwarded-For", header));
        assertThat(reply.status()).isEqualTo(201);
        return app.database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT address FROM audit WHERE subject = :id OR subject LIKE '%' || :id")
                        .bind("id", reply.json().get("id").stringValue())
                        .mapTo(String.class)
                        .one());
    }
}
