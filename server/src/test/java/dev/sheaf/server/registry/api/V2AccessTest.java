package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Together;
import dev.sheaf.server.testing.V2Scenario;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Credentials, tokens and rights on /v2 (distribution's token authentication; contract 1.4, 4).
class V2AccessTest extends V2Scenario {
    private static final String FORM = "application/x-www-form-urlencoded";

    private String challenge(String rest) {
        return "Bearer realm=\"" + app().url() + "/v2/token\",service=\"" + app().host() + "\"" + rest;
    }

    private static String basic(String user, String key) {
        return "Basic " + Base64.getEncoder().encodeToString(utf8(user + ":" + key));
    }

    private String token(@Nullable String key, String query) {
        var reply = key == null
                ? callAs(null, "GET", "/v2/token?service=x&" + query, null)
                : callAs(null, "GET", "/v2/token?service=x&" + query, null, "Authorization", basic("any", key));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        assertThat(reply.json().get("access_token")).isEqualTo(reply.json().get("token"));
        assertThat(reply.json().get("expires_in").asInt()).isGreaterThanOrEqualTo(300);
        assertThat(reply.json().get("issued_at").stringValue()).endsWith("Z");
        return reply.json().get("token").stringValue();
    }

    @Test
    void dockerLogsIn() {
        for (String path : List.of("/v2/", "/v2")) {
            var first = callAs(null, "GET", path, null);
            assertRefused(first, 401, "UNAUTHORIZED");
            assertThat(first.header("WWW-Authenticate")).isEqualTo(challenge(""));
            assertThat(first.header("Docker-Distribution-Api-Version")).isEqualTo("registry/2.0");

            var token = token(app().admin(), "account=x&client_id=docker&offline_token=true");

            assertThat(callAs(token, "GET", path, null).status()).isEqualTo(200);
            assertThat(callAs(app().admin(), "GET", path, null).status()).isEqualTo(200);
            assertThat(callAs(null, "GET", path, null, "Authorization", basic("x", app().admin()))
                            .status())
                    .isEqualTo(200);
            assertThat(callAs(token(null, ""), "GET", path, null).status()).isEqualTo(200);
        }
        var wrong = callAs("nonsense", "GET", "/v2/", null);
        assertRefused(wrong, 401, "UNAUTHORIZED");
        assertThat(wrong.header("WWW-Authenticate")).isEqualTo(challenge(",error=\"invalid_token\""));
    }

    @Test
    void wrongCredentialsGetNoToken() {
        for (String value : List.of(basic("x", "wrong"), basic("x", ""), "Basic %", "Digest x", "Bearer x")) {
            assertRefused(callAs(null, "GET", "/v2/token", null, "Authorization", value), 401, "UNAUTHORIZED");
        }
        for (String form : List.of(
                "grant_type=password&username=x&password=wrong", "grant_type=refresh_token&refresh_token=wrong")) {
            assertRefused(callAs(null, "POST", "/v2/token", utf8(form), "Content-Type", FORM), 401, "UNAUTHORIZED");
        }
        assertRefused(
                callAs(null, "POST", "/v2/token", utf8("grant_type=x"), "Content-Type", FORM), 400, "UNSUPPORTED");
    }

    @Test
    void aTokenDoesWhatItWasMadeForAndNothingElse() {
        var digest = pushBlob("tokens/kit", random(30));
        String blob = "/v2/tokens/kit/blobs/" + digest;
        String uploads = "/v2/tokens/kit/blobs/uploads/";

        var pull = token(app().admin(), "scope=repository:tokens/kit:pull");
        var both = token(app().admin(), "scope=repository:tokens/kit:pull,push&scope=repository:x:y");
        var other = token(app().admin(), "scope=repository:tokens/other:pull,push");

        assertThat(callAs(pull, "GET", blob, null).status()).isEqualTo(200);
        assertThat(callAs(both, "GET", blob, null).status()).isEqualTo(200);
        assertThat(callAs(both, "POST", uploads, null).status()).isEqualTo(202);
        var narrow = callAs(pull, "POST", uploads, null);
        assertRefused(narrow, 401, "UNAUTHORIZED");
        assertThat(narrow.header("WWW-Authenticate"))
                .isEqualTo(challenge(",scope=\"repository:tokens/kit:pull,push\",error=\"insufficient_scope\""));
        var elsewhere = callAs(other, "GET", blob, null);
        assertRefused(elsewhere, 401, "UNAUTHORIZED");
        assertThat(elsewhere.header("WWW-Authenticate"))
                .isEqualTo(challenge(",scope=\"repository:tokens/kit:pull\",error=\"insufficient_scope\""));
        assertThat(callAs(pull, "POST", "/v2/tokens/new/blobs/uploads/", null).status())
                .isEqualTo(401);
        assertThat(callAs(both, "GET", "/v1/publisher/me", null).status()).isNotEqualTo(200);
    }

    @Test
    void scopesAreUnitedHoweverTheyAreWritten() {
        pushBlob("scopes/one", random(31));
        pushBlob("scopes/two", random(31));
        for (String scopes : List.of(
                "scope=repository:scopes/one:pull&scope=repository:scopes/one:push&scope=repository:scopes/two:pull",
                "scope=repository:scopes/one:pull,push%20repository:scopes/two:pull",
                "scope=repository:scopes/one:*+repository(plugin):scopes/two:pull+registry:catalog:*")) {
            var get = token(app().admin(), scopes);
            var form = utf8(scopes.replace("&scope=", "+") + "&service=x&grant_type=password&username=x&password="
                    + app().admin());
            var posted = callAs(null, "POST", "/v2/token", form, "Content-Type", FORM)
                    .json()
                    .get("access_token")
                    .stringValue();

            for (String token : List.of(get, posted)) {
                assertThat(callAs(token, "POST", "/v2/scopes/one/blobs/uploads/", null)
                                .status())
                        .isEqualTo(202);
                assertThat(callAs(token, "GET", "/v2/scopes/two/tags/list", null)
                                .status())
                        .isEqualTo(200);
                assertThat(callAs(token, "POST", "/v2/scopes/two/blobs/uploads/", null)
                                .status())
                        .isEqualTo(401);
            }
        }
    }

    @Test
    void aTokenEndsWithItsTimeAndAnUploadOutlivesIt() {
        var bytes = random(32);
        var first = token(app().admin(), "scope=repository:tokens/kit:pull,push");
        var upload =
                callAs(first, "POST", "/v2/tokens/kit/blobs/uploads/", null).header("Location");
        pass(Duration.ofMinutes(16));

        var expired = callAs(first, "PATCH", upload, bytes);

        assertRefused(expired, 401, "UNAUTHORIZED");
        assertThat(expired.header("WWW-Authenticate"))
                .isEqualTo(challenge(",scope=\"repository:tokens/kit:pull,push\",error=\"invalid_token\""));
        var second = token(app().admin(), "scope=repository:tokens/kit:pull,push");
        assertThat(callAs(second, "PUT", upload + "?digest=" + Digest.sha256(bytes), bytes)
                        .status())
                .isEqualTo(201);
    }

    @Test
    void whoCanNeverHaveTheRightIsDenied() {
        String reader = app().key("reader" + seed, "read");
        String stranger = app().secondOrganization("strangers" + Math.abs(seed));
        app().push("rights/open", "1.0.0", "public", "# Open");
        pushBlob("rights/closed", random(33));
        var readers = token(reader, "scope=repository:rights/open:pull,push");

        assertRefused(callAs(reader, "POST", "/v2/rights/open/blobs/uploads/", null), 403, "DENIED");
        assertRefused(callAs(readers, "POST", "/v2/rights/open/blobs/uploads/", null), 403, "DENIED");
        assertThat(callAs(reader, "GET", "/v2/rights/closed/tags/list", null).status())
                .isEqualTo(200);
        assertRefused(callAs(stranger, "POST", "/v2/rights/open/blobs/uploads/", null), 403, "DENIED");
        assertThat(callAs(stranger, "GET", "/v2/rights/open/tags/list", null).status())
                .isEqualTo(200);
    }

    @Test
    void whatIsHiddenLooksLikeWhatIsMissing() {
        String stranger = app().secondOrganization("lookers" + Math.abs(seed));
        pushBlob("hidden/kit", random(34));
        for (String rest : List.of("tags/list", "manifests/latest", "blobs/" + Digest.sha256(random(34)))) {
            for (String key : new String[] {null, stranger, token(stranger, scopes()), token(null, scopes())}) {
                assertSame(
                        callAs(key, "GET", "/v2/hidden/kit/" + rest, null),
                        callAs(key, "GET", "/v2/hidden/not/" + rest, null));
            }
        }
        for (String key : new String[] {null, stranger, token(stranger, scopes())}) {
            assertSame(
                    callAs(key, "POST", "/v2/hidden/kit/blobs/uploads/", null),
                    callAs(key, "POST", "/v2/hidden/not/blobs/uploads/", null));
        }
        assertRefused(callAs(stranger, "GET", "/v2/hidden/kit/tags/list", null), 404, "NAME_UNKNOWN");
        assertRefused(callAs(null, "GET", "/v2/hidden/kit/tags/list", null), 401, "UNAUTHORIZED");
    }

    private static String scopes() {
        return "scope=repository:hidden/kit:pull,push&scope=repository:hidden/not:pull,push";
    }

    private static void assertSame(Reply hidden, Reply missing) {
        assertThat(hidden.status()).isIn(401, 404);
        assertThat(missing.status()).isEqualTo(hidden.status());
        assertThat(hidden.text().replace("hidden/kit", "hidden/not")).isEqualTo(missing.text());
        assertThat(hidden.header("WWW-Authenticate").replace("hidden/kit", "hidden/not"))
                .isEqualTo(missing.header("WWW-Authenticate"));
    }

    @Test
    void whatIsPublicIsPulledByAnybody() {
        app().push("public/kit", "1.0.0", "public", "# Public");
        for (String key : new String[] {null, token(null, "scope=repository:public/kit:pull,push"), app().admin()}) {
            var manifest = callAs(key, "GET", "/v2/public/kit/manifests/1.0.0", null);
            assertThat(manifest.status()).isEqualTo(200);
            String layer = manifest.json().at("/layers/0/digest").stringValue();
            assertThat(callAs(key, "GET", "/v2/public/kit/blobs/" + layer, null).text())
                    .isEqualTo("# Public");
        }
        assertRefused(callAs("nonsense", "GET", "/v2/public/kit/manifests/1.0.0", null), 401, "UNAUTHORIZED");
        var anonymous =
                callAs(token(null, "scope=repository:public/kit:push"), "POST", "/v2/public/kit/blobs/uploads/", null);
        assertRefused(anonymous, 401, "UNAUTHORIZED");
    }

    @Test
    void aMountsChallengeNamesBothRepositories() {
        var reply = callAs(
                null,
                "POST",
                "/v2/mount/to/blobs/uploads/?mount=" + Digest.sha256(random(1)) + "&from=mount/from",
                null);

        assertThat(reply.header("WWW-Authenticate"))
                .isEqualTo(challenge(",scope=\"repository:mount/to:pull,push repository:mount/from:pull\""));
    }

    @Test
    void concurrentFirstPushesIntoANewNamespaceAllSucceed() throws Exception {
        String namespace = "race" + Math.abs(seed);

        var statuses = Together.run(16, i -> () -> {
            String repository = namespace + "/" + (i % 2 == 0 ? "same" : "kit-" + i);
            var layer = utf8("layer " + i);
            return pushManifest(repository, "1.0." + i, image(repository, layer))
                    .status();
        });

        assertThat(statuses).containsOnly(201);
        assertThat(call("GET", "/v2/" + namespace + "/same/tags/list", null)
                        .json()
                        .get("tags"))
                .hasSize(9);
    }
}
