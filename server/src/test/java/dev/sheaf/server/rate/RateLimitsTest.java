package dev.sheaf.server.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.server.testing.OAuthScenario;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How often a caller may ask (contract 6), seen from outside.
class RateLimitsTest {
    private static final String RESOLVE = "/v1/namespaces/acme/bundles/kit:resolve";
    private static final String TAGS = "/v2/acme/kit/tags/list";
    private static final String BLOB =
            "/v2/acme/kit/blobs/sha256:" + "0000000000000000000000000000000000000000000000000000000000000000";

    @SuppressWarnings("NullAway.Init") // set by JUnit
    private TestApp app;

    @BeforeEach
    void start(@TempDir Path folder) {
        app = TestApp.start(
                folder,
                Map.of(
                        "rate-anonymous-reads", "3",
                        "rate-reads", "8",
                        "rate-writes", "2",
                        "rate-content", "3",
                        "rate-runner", "4",
                        "rate-failed-authentications", "2",
                        "public-url", "https://bundles.example",
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

        refused.assertRefused("429 rate-limited");
        assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");

        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 20);
        assertThat(refused.json().get("policy").stringValue()).isEqualTo("anonymous-reads");
        assertThat(refused.json().get("throttle").stringValue()).isEqualTo("rate");
        assertThat(refused.problem().detail())
                .isEqualTo("too many requests (rate-anonymous-reads); try again in " + refused.header("Retry-After")
                        + " s");
        assertThat(refused.header("RateLimit")).isEqualTo("\"anonymous-reads\";r=0;t=60");
        assertThat(refused.header("RateLimit-Policy")).isEqualTo("\"anonymous-reads\";q=3;w=60");
        assertThat(get(RESOLVE, null, "198.51.100.8").status()).isEqualTo(200);
        assertThat(get(RESOLVE, app.admin(), "198.51.100.7").status()).isEqualTo(200);
        assertThat(get("/health/ready", null, "198.51.100.7").status()).isEqualTo(200);
        assertThat(get("/v1/openapi.yaml", null, "198.51.100.7").header("RateLimit"))
                .isEmpty();
    }

    /// A name is taken for good, so it may not cost a tenth of a request, nor be taken by a request that is refused.
    @ParameterizedTest
    @ValueSource(strings = {"", "?mount=DIGEST", "?mount=DIGEST&from=acme/none", "?digest=DIGEST"})
    void aNameIsNotTakenForATenthOfARequest(String query) {
        String digest = BLOB.substring(BLOB.lastIndexOf('/') + 1);
        int refused = 0;
        for (int i = 0; i < 20; i++) {
            String path = "/v2/squat" + i + "/kit/blobs/uploads/" + query.replace("DIGEST", digest);
            refused += app.send("POST", path, app.admin(), null).status() == 429 ? 1 : 0;
        }

        long repositories = app.database().read(tx -> tx.number("SELECT count(*) FROM repository"));
        long namespaces = app.database().read(tx -> tx.number("SELECT count(*) FROM namespace"));
        assertThat(refused).isGreaterThanOrEqualTo(11); // eight reads in the minute, and what comes back meanwhile
        assertThat(repositories).as("acme/kit, and what was admitted").isLessThanOrEqualTo(1 + 20 - refused);
        assertThat(namespaces).isLessThanOrEqualTo(1 + 20 - refused);
    }

    /// Each asks the provider something, or may.
    @ParameterizedTest
    @ValueSource(strings = {"/v1/sign-in/oidc", "/v1/sign-in/oidc/callback?state=x&code=y", "/sign-in"})
    void theWayToTheProviderAndBackCountsToo(String path) {
        for (int i = 0; i < 3; i++) {
            assertThat(get(path, null, "198.51.100.7").status()).isIn(401, 404);
        }

        assertThat(get(path, null, "198.51.100.7").status()).isEqualTo(429);
    }

    @Test
    void theRegistrySaysItInItsOwnWords() {
        String token =
                get("/v2/token", null, "2001:db8:1:2::9").json().get("token").stringValue();
        for (int i = 0; i < 2; i++) {
            assertThat(get(TAGS, token, "2001:db8:1:2::" + i).status()).isEqualTo(200);
        }

        var refused = get(TAGS, token, "2001:db8:1:2:ffff::1");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.json().at("/errors/0/code").stringValue()).isEqualTo("TOOMANYREQUESTS");
        assertThat(refused.json().at("/errors/0/detail/throttle").stringValue()).isEqualTo("rate");
        assertThat(refused.header("Retry-After")).isNotEmpty();
        assertThat(get("/v2/token", null, "2001:db8:1:2:ffff::1").status()).isEqualTo(429);
        assertThat(get(TAGS, null, "2001:db8:1:3::1").status()).isEqualTo(200);
    }

    /// Clients of registries and git send their first request without the credential that they have.
    @ParameterizedTest
    @ValueSource(strings = {TAGS, BLOB, "/v2/", "/acme/kit.git/info/refs?service=git-upload-pack"})
    void strangersDoNotLockOutWhoHasACredential(String path) {
        for (int i = 0; i < 3; i++) {
            get(TAGS, null, "198.51.100.7");
            get(BLOB, null, "198.51.100.7");
            get("/v2/acme/kit/manifests/1.0.0", null, "198.51.100.7");
        }

        var asked = get(path, null, "198.51.100.7");

        assertThat(asked.status()).isEqualTo(401);
        assertThat(asked.header("WWW-Authenticate")).isNotEmpty();
        var with = app.send(app.request("GET", path, null, null)
                .header("X-Forwarded-For", "198.51.100.7")
                .header(
                        "Authorization",
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString(("any:" + app.admin()).getBytes(StandardCharsets.UTF_8))));
        assertThat(with.status()).isIn(200, 404);
    }

    @Test
    void contentCountsByItself() {
        for (int i = 0; i < 3; i++) {
            assertThat(get("/v2/acme/kit/manifests/1.0.0", null, "198.51.100.7").header("RateLimit-Policy"))
                    .isEqualTo("\"content\";q=3;w=60");
        }
        String token =
                get("/v2/token", null, "198.51.100.7").json().get("token").stringValue();

        var refused = get("/v2/acme/kit/manifests/1.0.0", token, "198.51.100.7");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text()).contains("rate-content");
        var file = get("/acme/kit/.well-known/agent-skills/kit/SKILL.md", null, "198.51.100.7");
        assertThat(file.status()).as(file.header("RateLimit") + file.text()).isEqualTo(429);
        assertThat(get("/v1/hub/bundles/acme/kit/assets/README.md", null, "198.51.100.7")
                        .status())
                .isEqualTo(429);
        assertThat(get(TAGS, null, "198.51.100.7").status()).as("its own count").isEqualTo(200);
        assertThat(get("/v2/acme/kit/manifests/1.0.0", app.admin(), "198.51.100.7")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void questionsAndMountsCountForATenth() {
        var digest = app.get("/v1/namespaces/acme/bundles/kit:resolve", app.admin())
                .as(Resolution.class)
                .manifest()
                .layers()
                .getFirst()
                .contentSha256();
        String blob = "/v2/acme/kit/blobs/sha256:" + digest;
        for (int i = 0; i < 10; i++) {
            assertThat(app.send(app.request("HEAD", blob, app.admin(), null)).status())
                    .isEqualTo(200);
            assertThat(app.post(
                                    "/v2/acme/copy/blobs/uploads/?mount=sha256:" + digest + "&from=acme/kit",
                                    app.admin(),
                                    "")
                            .status())
                    .isEqualTo(201);
        }

        assertThat(app.get(blob, app.admin()).header("RateLimit")).startsWith("\"content\";r=0;");
    }

    @Test
    void aManifestCountsForAFifthOfAWrite() {
        String image =
                get("/v2/acme/kit/manifests/1.0.0", app.admin(), "198.51.100.7").text();
        for (int i = 0; i < 5; i++) {
            assertThat(app.send(app.request("PUT", "/v2/acme/kit/manifests/t" + i, app.admin(), image)
                                    .setHeader("Content-Type", "application/vnd.oci.image.manifest.v1+json"))
                            .status())
                    .isEqualTo(201);
        }

        assertThat(app.push("acme/kit", "1.0.1", "public", "# Kit").status()).isEqualTo(429);
    }

    @Test
    void workersHaveAQuotaOfTheirOwn() {
        for (int i = 0; i < 4; i++) {
            assertThat(app.get("/v1/runner/me", app.admin()).header("RateLimit-Policy"))
                    .isEqualTo("\"runner\";q=4;w=60");
        }

        var refused = app.post("/v1/runner/jobs:claim", app.admin(), "{}");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.json().get("policy").stringValue()).isEqualTo("runner");
        assertThat(app.get(RESOLVE, app.admin()).status()).isEqualTo(200);
        assertThat(app.push("acme/kit", "1.0.1", "public", "# Kit").status()).isEqualTo(201);
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

    /// It would make every read free, whether the caller has the answer or not.
    @Test
    void aWildcardIsCountedLikeAnyOtherRead() {
        String manifest = "/v2/acme/kit/manifests/1.0.0";
        for (String wildcard : new String[] {"*", "W/*", "\"other\", *"}) {
            String address = "198.51.100." + (20 + wildcard.length());
            for (String path : new String[] {RESOLVE, RESOLVE, RESOLVE, manifest, manifest, manifest}) {
                assertThat(known(path, wildcard, address).header("RateLimit"))
                        .as(path)
                        .isNotEmpty();
            }
            assertThat(known(RESOLVE, wildcard, address).status()).isEqualTo(429);
        }
    }

    private Reply known(String path, String tags, String address) {
        return app.send(app.request("GET", path, null, null)
                .header("X-Forwarded-For", address)
                .header("If-None-Match", tags));
    }

    @Test
    void theRootAndWhatIsNotThereCountToo() {
        for (String path : new String[] {"/", "/nowhere", "/v1"}) {
            assertThat(get(path, null, "198.51.100.9").header("RateLimit"))
                    .as(path)
                    .contains("anonymous-reads");
        }

        assertThat(get("/", null, "198.51.100.9").status()).isEqualTo(429);
    }

    @Test
    void writesHaveAQuotaOfTheirOwn() {
        assertThat(app.push("acme/kit", "1.0.1", "public", "# Kit").status()).isEqualTo(201);

        var refused = app.push("acme/kit", "1.0.2", "public", "# Kit");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("RateLimit-Policy")).isEqualTo("\"writes\";q=2;w=60");
        assertThat(app.get(RESOLVE, app.admin()).header("RateLimit-Policy")).isEqualTo("\"reads\";q=8;w=60");
        assertThat(app.post("/v2/acme/kit/blobs/uploads/", app.admin(), "").header("RateLimit-Policy"))
                .as("nobody sees a blob alone")
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

    /// Whoever guesses what people type must not be told that a guess was right (RFC 8628, section 5.1).
    @Test
    void behindTooManyWrongCodesOfDevicesNoneIsLookedAt() {
        var device = app.form("/v1/oauth/device_authorization", null, "client_id", "x", "scope", "read")
                .json();
        String right = "/device?user_code=" + device.get("user_code").stringValue();
        for (int i = 0; i < 2; i++) {
            assertThat(get("/device?user_code=BBBB-BBB" + "BC".charAt(i), null, "198.51.100.7")
                            .status())
                    .isEqualTo(401);
        }

        var refused = get(right, null, "198.51.100.7");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text()).contains("are not checked for now").doesNotContain("name=\"password\"");
        assertThat(get(right, null, "198.51.100.8").text()).contains("name=\"password\"");
    }

    @Test
    void behindTooManyWrongPasswordsNoneIsLookedAt() {
        app.post("/v1/admin/users", app.admin(), """
                {"email": "one@acme.test", "password": "%s"}""".formatted(TestApp.PASSWORD));
        for (int i = 0; i < 2; i++) {
            assertThat(signIn("nobody" + i + "@acme.test", "198.51.100.7").status())
                    .isEqualTo(401);
        }

        var refused = signIn("one@acme.test", "198.51.100.7");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text()).contains("are not checked for now");
        assertThat(refused.json().get("throttle").stringValue()).isEqualTo("guesses");
        assertThat(signIn("one@acme.test", "198.51.100.8").status()).isEqualTo(200);
    }

    private Reply signIn(String email, String from) {
        return app.send(app.request("POST", "/v1/sessions", null, """
                {"email": "%s", "password": "%s"}""".formatted(email, TestApp.PASSWORD))
                .header("X-Forwarded-For", from));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "subject_token=a.b.c&subject_token_type=urn:ietf:params:oauth:token-type:id_token",
                "subject_token=shf_bad&subject_token_type=urn:sheaf:params:oauth:token-type:api-key",
                "grant_type=refresh_token&refresh_token=shr_x",
                "grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=shd_x"
            })
    void whatBuysNoTokenIsCountedLikeABadCredential(String fields) {
        for (int i = 0; i < 2; i++) {
            assertThat(exchange(fields, "198.51.100.7").status()).isEqualTo(400);
        }

        var refused = exchange(fields, "198.51.100.7");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text()).contains("too many failed authentications");
        assertThat(refused.json().get("throttle").stringValue()).isEqualTo("guesses");
        assertThat(refused.header("Retry-After")).isNotEmpty();
        assertThat(get(RESOLVE, "shf_bad", "198.51.100.7").status())
                .as("it is one count")
                .isEqualTo(429);
        assertThat(get(RESOLVE, app.admin(), "198.51.100.7").status()).isEqualTo(200);
    }

    @Test
    void whatIsOnlyAskedForTooSoonOrTooMuchIsNotCounted() {
        for (int i = 0; i < 3; i++) {
            var wide = exchange(
                    "subject_token=" + app.admin() + "&bundles=%26"
                            + "&subject_token_type=urn:sheaf:params:oauth:token-type:api-key",
                    "198.51.100.7");
            assertThat(wide.status()).isEqualTo(400);
        }

        assertThat(get(RESOLVE, "shf_bad", "198.51.100.7").status()).isEqualTo(401);
    }

    private Reply exchange(String fields, String from) {
        String grant = fields.startsWith("grant_type") ? "" : "grant_type=" + OAuthScenario.EXCHANGE + "&";
        return app.send(app.request("POST", "/v1/oauth/token", null, grant + fields)
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header("X-Forwarded-For", from));
    }

    private Reply get(String path, @Nullable String key, String from) {
        return app.send(app.request("GET", path, key, null).header("X-Forwarded-For", from));
    }
}
