package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// How long access tokens live, and what they are signed with.
class V2TokensTest extends V2Scenario {
    private static final String KEYS = "/v1/organizations/default/api-keys";
    private static final String FORM = "application/x-www-form-urlencoded";

    private JsonNode key(String name, String more) {
        var reply = app().post(KEYS, app().admin(), """
                {"name": "%s", "scopes": ["write"]%s}""".formatted(name, more));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.json();
    }

    private static String secret(JsonNode key) {
        return key.get("key").stringValue();
    }

    private Reply exchange(String credential, String query) {
        return callAs(credential, "GET", "/v2/token?" + query, null);
    }

    private String token(String secret) {
        return exchange(secret, "scope=repository:lives/kit:pull,push")
                .json()
                .get("token")
                .stringValue();
    }

    private void assertEnded(String token, String why) {
        for (String path : List.of("/v2/", "/v2/lives/kit/tags/list")) {
            var reply = callAs(token, "GET", path, null);
            assertRefused(reply, 401, "UNAUTHORIZED");
            assertThat(reply.header("WWW-Authenticate")).contains("error=\"invalid_token\"");
            assertThat(reply.text()).contains(why);
        }
        assertRefused(callAs(token, "POST", "/v2/lives/kit/blobs/uploads/", null), 401, "UNAUTHORIZED");
        assertRefused(exchange(token, "scope=repository:lives/kit:pull"), 401, "UNAUTHORIZED");
    }

    @Test
    void aTokenEndsWithItsKey() {
        pushBlob("lives/kit", random(10));
        var revoked = key("revoked", "");
        var disabled = key("disabled", "");
        var expiring = key("expiring", ", \"expiresIn\": \"PT1M\"");
        var tokens = List.of(token(secret(revoked)), token(secret(disabled)), token(secret(expiring)));
        for (String token : tokens) {
            assertThat(callAs(token, "POST", "/v2/lives/kit/blobs/uploads/", null)
                            .status())
                    .isEqualTo(202);
        }

        app().send("DELETE", KEYS + "/" + revoked.get("id").stringValue(), app().admin(), null);
        app().disable(UUID.fromString(disabled.get("id").stringValue()));
        assertEnded(tokens.get(0), "revoked");
        assertEnded(tokens.get(1), "disabled");
        assertThat(callAs(tokens.get(2), "GET", "/v2/", null).status()).isEqualTo(200);

        pass(Duration.ofMinutes(1));
        assertEnded(tokens.get(2), "expired");
        for (var key : List.of(revoked, disabled, expiring)) {
            assertRefused(exchange(secret(key), "scope=repository:lives/kit:pull"), 401, "UNAUTHORIZED");
        }
    }

    /// Or whoever finds a token that was good for one repository and a quarter of an hour could go on for ever.
    @Test
    void aTokenBuysNoOther() {
        pushBlob("lives/kit", random(11));
        String token = token(secret(key("spender", "")));
        for (String scope : List.of("pull", "pull,push", "*", "")) {
            assertRefused(exchange(token, "scope=repository:lives/kit:" + scope), 401, "UNAUTHORIZED");
        }
        assertRefused(exchange(token, "scope=registry:catalog:*"), 401, "UNAUTHORIZED");
        assertRefused(exchange(token, ""), 401, "UNAUTHORIZED");
        for (String form : List.of("grant_type=refresh_token&refresh_token=", "grant_type=password&password=")) {
            var reply = callAs(
                    null,
                    "POST",
                    "/v2/token",
                    utf8(form + token + "&scope=repository:lives/kit:pull"),
                    "Content-Type",
                    FORM);
            assertRefused(reply, 401, "UNAUTHORIZED");
        }
        assertThat(callAs(token, "GET", "/v2/lives/kit/tags/list", null).status())
                .isEqualTo(200);
    }

    /// What a token says it may is still judged by what its key may.
    @Test
    void aTokenOfAReaderNeverWrites() {
        pushBlob("lives/kit", random(12));
        String reader = app().key("reader" + seed, "read");
        String token = exchange(reader, "scope=repository:lives/kit:*")
                .json()
                .get("token")
                .stringValue();

        assertRefused(callAs(token, "POST", "/v2/lives/kit/blobs/uploads/", null), 403, "DENIED");
        assertThat(callAs(token, "GET", "/v2/lives/kit/tags/list", null).status())
                .isEqualTo(200);
    }

    /// Every route of a repository with every kind of token: what a token was not made for it does not open, and
    /// the answer says what to ask for.
    @Test
    void aTokenOpensWhatItWasMadeForOnEveryRoute() {
        pushBlob("lives/matrix", random(13));
        pushBlob("lives/other", random(13));
        for (var route : app().routes()) {
            if (!route.pattern().startsWith("/v2/{namespace}")) {
                continue;
            }
            String path = route.pattern()
                    .replace("{namespace}/{bundle}", "lives/matrix")
                    .replace("{digest}", Digest.sha256(random(14)).toString())
                    .replace("{reference}", "word")
                    .replace("{upload_id}", UUID.randomUUID().toString());
            var needed = needed(route);
            for (var made : List.of(
                    List.<String>of(),
                    List.of("pull"),
                    List.of("push"),
                    List.of("delete"),
                    List.of("pull", "push"),
                    List.of("pull", "delete"),
                    List.of("push", "delete"),
                    List.of("pull", "push", "delete"))) {
                String scope = "scope=repository:lives/other:*&scope=repository:lives/matrix:" + String.join(",", made);
                String token =
                        exchange(app().admin(), scope).json().get("token").stringValue();

                var reply = callAs(token, route.method().name(), path, null);

                if (made.containsAll(needed)) {
                    assertThat(reply.status()).as("%s with %s", route, made).isNotIn(401, 403, 500);
                } else {
                    assertRefused(reply, 401, "UNAUTHORIZED");
                    assertThat(reply.header("WWW-Authenticate"))
                            .as("%s with %s", route, made)
                            .contains("error=\"insufficient_scope\"", "scope=\"repository:lives/matrix:pull");
                }
            }
        }
    }

    private static List<String> needed(Route route) {
        if (route.pattern().contains("/uploads/") || route.method() == RouteMethod.PUT) {
            return List.of("pull", "push");
        }
        return route.method() == RouteMethod.DELETE ? List.of("pull", "delete") : List.of("pull");
    }

    @Test
    void thePublicKeysAreThere() {
        var reply = callAs(null, "GET", "/.well-known/jwks.json", null);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Content-Type")).isEqualTo("application/json");
        assertThat(reply.header("Cache-Control")).isEqualTo("public, max-age=300");
        assertThat(reply.header("ETag")).isNotEmpty();
        var keys = reply.json().get("keys");
        assertThat(keys).hasSize(1);
        assertThat(keys.get(0).propertyNames()).containsExactlyInAnyOrder("kty", "crv", "use", "alg", "kid", "x");
        assertThat(keys.get(0).get("kty").stringValue()).isEqualTo("OKP");
        assertThat(keys.get(0).get("alg").stringValue()).isEqualTo("EdDSA");
        assertThat(keys.get(0).get("x").stringValue()).matches("[A-Za-z0-9_-]{43}");
        assertThat(callAs("nonsense", "GET", "/.well-known/jwks.json", null).status())
                .as("credentials are not looked at")
                .isEqualTo(200);
        assertThat(callAs(null, "PUT", "/.well-known/jwks.json", null).status()).isEqualTo(405);
    }
}
