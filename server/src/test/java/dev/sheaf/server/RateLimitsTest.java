package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.auth.KeyFormat;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Reply;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How often a caller may ask (contract 6), seen from outside.
class RateLimitsTest {
    private static final String RESOLVE = "/v1/namespaces/acme/bundles/kit:resolve";
    private static final String TAGS = "/v2/acme/kit/tags/list";

    @SuppressWarnings("NullAway.Init") // set by JUnit
    private TestApp app;

    @BeforeEach
    void start(@TempDir Path folder) {
        app = TestApp.start(
                Databases.Kind.SQLITE,
                folder,
                InstantSource.system(),
                Map.of(
                        "rate-anonymous-reads", "3",
                        "rate-reads", "8",
                        "rate-writes", "2",
                        "rate-failed-authentications", "2",
                        "trusted-proxies", "127.0.0.1"));
        assertThat(app.push("acme/kit", "1.0.0", "public", "# Kit").status()).isEqualTo(201);
    }

    @AfterEach
    void stop() {
        app.close();
    }

    @Test
    void anAddressWithoutACredentialHasItsQuota() {
        var first = get(RESOLVE, null, "198.51.100.7");
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.header("RateLimit")).isEqualTo("\"anonymous-reads\";r=2;t=20");
        assertThat(first.header("RateLimit-Policy")).isEqualTo("\"anonymous-reads\";q=3;w=60");
        get("/nowhere", null, "198.51.100.7");
        get(TAGS, null, "198.51.100.7");

        var refused = get(RESOLVE, null, "198.51.100.7");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(refused.json().get("code").stringValue()).isEqualTo("rate-limited");
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 20);
        assertThat(refused.header("RateLimit")).isEqualTo("\"anonymous-reads\";r=0;t=60");
        assertThat(refused.header("RateLimit-Policy")).isEqualTo("\"anonymous-reads\";q=3;w=60");
        assertThat(get(RESOLVE, null, "198.51.100.8").status()).isEqualTo(200);
        assertThat(get(RESOLVE, app.admin(), "198.51.100.7").status()).isEqualTo(200);
        assertThat(get("/health/ready", null, "198.51.100.7").status()).isEqualTo(200);
        assertThat(get("/v1/openapi.yaml", null, "198.51.100.7").header("RateLimit"))
                .isEmpty();
    }

    @Test
    void theRegistrySaysItInItsOwnWords() {
        for (int i = 0; i < 3; i++) {
            assertThat(get(TAGS, null, "2001:db8:1:2::" + i).status()).isEqualTo(200);
        }

        var refused = get(TAGS, null, "2001:db8:1:2:ffff::1");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.json().get("errors").get(0).get("code").stringValue())
                .isEqualTo("TOOMANYREQUESTS");
        assertThat(refused.header("Retry-After")).isNotEmpty();
        assertThat(get("/v2/token", null, "2001:db8:1:2:ffff::1").status()).isEqualTo(429);
        assertThat(get(TAGS, null, "2001:db8:1:3::1").status()).isEqualTo(200);
    }

    @Test
    void whoHasTheAnswerAlreadyIsNeverRefused() {
        String etag = get(RESOLVE, null, "198.51.100.7").header("ETag");
        for (int i = 0; i < 10; i++) {
            var known = app.send(app.request("GET", RESOLVE, null, null)
                    .header("X-Forwarded-For", "198.51.100.7")
                    .header("If-None-Match", etag));
            assertThat(known.status()).isEqualTo(304);
            assertThat(known.header("RateLimit")).isEmpty();
        }
        assertThat(get(RESOLVE, null, "198.51.100.7").header("RateLimit")).contains("r=1;");
        get(RESOLVE, null, "198.51.100.7");

        var news = app.send(app.request("GET", RESOLVE, null, null)
                .header("X-Forwarded-For", "198.51.100.7")
                .header("If-None-Match", "\"other\""));

        assertThat(news.status()).isEqualTo(429);
    }

    @Test
    void writesHaveAQuotaOfTheirOwn() {
        assertThat(app.push("acme/kit", "1.0.1", "public", "# Kit").status()).isEqualTo(201);

        var refused = app.push("acme/kit", "1.0.2", "public", "# Kit");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("RateLimit-Policy")).isEqualTo("\"writes\";q=2;w=60");
        assertThat(app.get(RESOLVE, app.admin()).header("RateLimit-Policy")).isEqualTo("\"reads\";q=8;w=60");
        assertThat(app.post("/v2/acme/kit/blobs/uploads/", app.admin(), "").header("RateLimit-Policy"))
                .as("a blob alone is seen by nobody")
                .isEqualTo("\"reads\";q=8;w=60");
    }

    @Test
    void badCredentialsAreCountedAndNeverLockAnybodyOut() {
        assertThat(get(RESOLVE, "shf_bad", "198.51.100.7").status()).isEqualTo(401);
        assertThat(get(TAGS, KeyFormat.generate().expose(), "198.51.100.7").status())
                .isEqualTo(401);

        var refused = get(RESOLVE, KeyFormat.generate().expose(), "198.51.100.7");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 30);
        assertThat(get(TAGS, "shf_bad", "198.51.100.7").status()).isEqualTo(429);
        assertThat(get("/v2/token", "shf_bad", "198.51.100.7").status()).isEqualTo(429);
        assertThat(get(RESOLVE, app.admin(), "198.51.100.7").status()).isEqualTo(200);
        assertThat(get(RESOLVE, null, "198.51.100.7").status()).isEqualTo(200);
        assertThat(get(RESOLVE, "shf_bad", "198.51.100.8").status()).isEqualTo(401);
    }

    private Reply get(String path, @Nullable String key, String from) {
        return app.send(app.request("GET", path, key, null).header("X-Forwarded-For", from));
    }
}
