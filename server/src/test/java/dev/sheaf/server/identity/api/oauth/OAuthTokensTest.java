package dev.sheaf.server.identity.api.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OAuthScenario;
import dev.sheaf.server.testing.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Access tokens in exchange for keys and for each other; how they are revoked and looked into (contract 5.3).
class OAuthTokensTest extends OAuthScenario {
    private static final String TOKEN = "/v1/oauth/token";
    private static final String REVOKE = "/v1/oauth/revoke";
    private static final String INTROSPECT = "/v1/oauth/introspect";

    private Reply read(String credential, String bundle) {
        return app().get("/v1/namespaces/xchg/bundles/" + bundle + ":resolve", credential);
    }

    private Reply push(String credential, String bundle, String version) {
        return app().post("/v1/namespaces/xchg/bundles/" + bundle + ":push", credential, """
                {"name": "Test", "visibility": "private", "version": "%s",
                 "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "x"}]}""".formatted(version));
    }

    @Test
    void aKeyBuysANarrowerToken() {
        app().push("xchg/one", "1.0.0", "private", "one");
        app().push("xchg/two", "1.0.0", "private", "two");
        String key = secret("buys", "write", "");

        var reply = exchange(key, "scope", "read", "bundles", "xchg/one", "audience", app().url());

        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        assertThat(reply.json().get("token_type").stringValue()).isEqualTo("Bearer");
        assertThat(reply.json().get("issued_token_type").stringValue()).isEqualTo(ACCESS_TOKEN);
        assertThat(reply.json().get("expires_in").intValue()).isEqualTo(3600);
        assertThat(reply.json().get("scope").stringValue()).isEqualTo("read");
        String token = reply.json().get("access_token").stringValue();
        assertThat(read(token, "one").status()).isEqualTo(200);
        assertThat(read(token, "two").status()).isEqualTo(404);
        assertThat(push(token, "one", "2.0.0").status()).isEqualTo(403);
        assertThat(push(token(key), "one", "2.0.0").status()).isEqualTo(201);
    }

    @Test
    void noTokenIsWiderThanItsSubject() {
        app().push("xchg/wide", "1.0.0", "private", "wide");
        String key = secret("wide", "write", ", \"restrictions\": {\"bundles\": [\"xchg/wide*\"]}");

        assertRefused(exchange(key, "scope", "admin"), 400, "invalid_scope", "write", "admin");
        assertRefused(exchange(key, "scope", "root"), 400, "invalid_scope", "root");
        assertRefused(exchange(key, "bundles", "xchg/other"), 400, "invalid_target");
        assertRefused(exchange(key, "bundles", "xchg/*"), 400, "invalid_target");
        assertRefused(exchange(key, "bundles", "nonsense"), 400, "invalid_request");
        String narrow = token(key, "scope", "read", "bundles", "xchg/wide-one");
        assertRefused(exchange(narrow, "scope", "write"), 400, "invalid_scope");
        assertRefused(exchange(narrow, "bundles", "xchg/wide"), 400, "invalid_target");
        assertThat(read(token(narrow), "wide").status()).isEqualTo(404);
        assertThat(read(token(key, "namespaces", "xchg"), "wide").status()).isEqualTo(200);
        assertThat(push(token(key, "cidrs", "127.0.0.0/8"), "elsewhere", "1.0.0")
                        .status())
                .as("what is not named stays as it is")
                .isEqualTo(404);
        assertThat(read(token(key, "cidrs", "10.0.0.0/8"), "wide").status()).isEqualTo(401);
    }

    @Test
    void noTokenLivesLongerThanItsSubject() {
        app().push("xchg/long", "1.0.0", "private", "long");
        String key = secret("long", "read", ", \"expiresIn\": \"PT30M\"");
        assertThat(exchange(key).json().get("expires_in").intValue()).isBetween(1795, 1800);
        String quarter = token(app().admin(), "expires_in", "900", "scope", "read");

        var again = exchange(quarter, "expires_in", "3600");

        assertThat(again.json().get("expires_in").intValue()).isLessThanOrEqualTo(900);
        for (String wrong : List.of("0", "-1", "3601", "a", "99999999999999999999")) {
            assertRefused(exchange(key, "expires_in", wrong), 400, "invalid_request", "expires_in");
        }
        String later = again.json().get("access_token").stringValue();
        assertThat(read(later, "long").status()).isEqualTo(200);
        pass(Duration.ofMinutes(16));
        assertThat(read(later, "long").status()).isEqualTo(401);
        assertRefused(exchange(later), 400, "invalid_request", "expired");
    }

    @Test
    void aTokenMakesNoKeys() {
        String token = token(app().admin());

        var reply = app().post("/v1/organizations/default/api-keys", token, "{\"name\": \"mine\"}");

        reply.assertRefused("403 forbidden");
    }

    @Test
    void aTokenLogsInToTheRegistry() {
        app().push("xchg/docker", "1.0.0", "private", "docker");
        String token = token(app().admin(), "scope", "read", "bundles", "xchg/docker");

        String bought = app().get("/v2/token?scope=repository:xchg/docker:pull,push", token)
                .json()
                .get("token")
                .stringValue();

        assertThat(status("GET", "/v2/xchg/docker/manifests/1.0.0", bought, null))
                .isEqualTo(200);
        assertThat(status("POST", "/v2/xchg/docker/blobs/uploads/", bought, null))
                .isNotEqualTo(202);
        assertRefused(exchange(bought), 400, "invalid_request", "registry");
    }

    @Test
    void aRevokedTokenEndsWithAllThatWasMadeFromIt() {
        app().push("xchg/gone", "1.0.0", "private", "gone");
        String first = token(app().admin());
        String second = token(first, "scope", "read");
        String third = app().get("/v2/token?scope=repository:xchg/gone:pull", second)
                .json()
                .get("token")
                .stringValue();
        String other = token(app().admin());

        assertThat(app().form(REVOKE, null, "token", second, "token_type_hint", "access_token")
                        .status())
                .isEqualTo(200);

        assertThat(read(second, "gone").status()).isEqualTo(401);
        assertThat(read(second, "gone").text()).contains("revoked");
        assertThat(status("GET", "/v2/xchg/gone/manifests/1.0.0", third, null)).isEqualTo(401);
        assertRefused(exchange(second), 400, "invalid_request", "revoked");
        assertThat(read(first, "gone").status()).isEqualTo(200);
        app().form(REVOKE, null, "token", first);
        assertThat(read(first, "gone").status()).isEqualTo(401);
        assertThat(read(other, "gone").status()).isEqualTo(200);
        for (String whatever : List.of(second, "nonsense", "a.b.c")) {
            assertThat(app().form(REVOKE, null, "token", whatever).status()).isEqualTo(200);
        }
        assertRefused(app().form(REVOKE, null), 400, "invalid_request", "token");
        assertRefused(app().form(REVOKE, null, "token", app().admin()), 400, "unsupported_token_type");
        assertThat(read(app().admin(), "gone").status()).isEqualTo(200);
    }

    @Test
    void aTokenIsLookedIntoByItsOwnOrganization() {
        String key = secret("looks", "read", "");
        String token = token(app().admin(), "scope", "write");

        var found = app().form(INTROSPECT, key, "token", token);

        assertThat(found.status()).isEqualTo(200);
        assertThat(found.header("Cache-Control")).isEqualTo("no-store");
        assertThat(found.json().get("active").booleanValue()).isTrue();
        assertThat(found.json().get("scope").stringValue()).isEqualTo("write");
        assertThat(found.json().get("sub").stringValue()).startsWith("key:");
        assertThat(found.json().get("exp").longValue() - found.json().get("iat").longValue())
                .isBetween(3599L, 3600L);
        var itself = app().form(INTROSPECT, key, "token", key).json();
        assertThat(itself.get("active").booleanValue()).isTrue();
        assertThat(itself.has("jti")).isFalse();
        String stranger = app().secondOrganization("stranger");
        for (String unknown : List.of("nonsense", "shf_nonsense")) {
            assertThat(app().form(INTROSPECT, key, "token", unknown).text()).isEqualTo("{\"active\":false}");
        }
        assertThat(app().form(INTROSPECT, stranger, "token", token).text()).isEqualTo("{\"active\":false}");
        app().form(REVOKE, null, "token", token);
        assertThat(app().form(INTROSPECT, key, "token", token).text()).isEqualTo("{\"active\":false}");
        assertRefused(app().form(INTROSPECT, null, "token", token), 401, "invalid_client");
        assertRefused(app().form(INTROSPECT, token, "token", key), 401, "invalid_token", "revoked");
    }

    @Test
    void whatIsNoProperRequestIsRefusedInOAuthsWords() {
        assertRefused(app().form(TOKEN, null), 400, "invalid_request", "grant_type");
        assertRefused(app().form(TOKEN, null, "grant_type", "password"), 400, "unsupported_grant_type");
        assertRefused(
                app().form(TOKEN, null, "grant_type", EXCHANGE, "grant_type", EXCHANGE),
                400,
                "invalid_request",
                "more than once");
        assertRefused(exchange(app().admin(), "subject_token", app().admin()), 400, "invalid_request", "subject_token");
        assertRefused(exchange(app().admin(), "scope", "read", "scope", "write"), 400, "invalid_request", "scope");
        assertRefused(exchange("shf_nonsense"), 400, "invalid_request", "malformed");
        assertRefused(exchange("a.b.c"), 400, "invalid_request");
        assertRefused(exchange(app().admin(), "audience", "https://elsewhere.example"), 400, "invalid_target");
        assertRefused(exchange(app().admin(), "requested_token_type", "urn:x"), 400, "invalid_request", "urn:x");
        assertRefused(
                app().form(TOKEN, null, "grant_type", EXCHANGE, "subject_token", "x", "subject_token_type", "saml"),
                400,
                "invalid_request",
                "subject_token_type");
        assertRefused(app().post(TOKEN, null, "{}"), 415, "invalid_request", "application/json");
        assertRefused(app().get(TOKEN, null), 405, "invalid_request");
        assertRefused(app().get("/v1/oauth/nothing", null), 404, "invalid_request");
        assertRefused(app().form(TOKEN, null, "grant_type", "x".repeat(70_000)), 413, "invalid_request", "the form");
        var chunked = app().request("POST", TOKEN, null, null)
                .method("POST", BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(new byte[100_000])))
                .header("Content-Type", "application/x-www-form-urlencoded");
        assertRefused(app().send(chunked), 413, "invalid_request", "the form");
        var broken = app().request("POST", TOKEN, null, "grant_type=%zz")
                .setHeader("Content-Type", "application/x-www-form-urlencoded");
        assertRefused(app().send(broken), 400, "invalid_request");
        assertRefused(exchange(app().admin(), "scope", "\u00e4\"\\\u0007"), 400, "invalid_scope");
    }

    @Test
    void theMetadataNameEveryEndpoint() {
        var reply = app().get("/.well-known/oauth-authorization-server", null);

        assertThat(reply.status()).isEqualTo(200);
        var metadata = reply.json();
        assertThat(metadata.get("issuer").stringValue()).isEqualTo(app().url());
        assertThat(metadata.get("response_types_supported")).isEmpty();
        assertThat(metadata.get("grant_types_supported").toString()).contains(EXCHANGE);
        for (String name : List.of("token_endpoint", "revocation_endpoint", "introspection_endpoint")) {
            String path = metadata.get(name).stringValue().substring(app().url().length());
            assertThat(app().form(path, null).status()).as(name).isIn(400, 401);
        }
        String keys =
                metadata.get("jwks_uri").stringValue().substring(app().url().length());
        assertThat(app().get(keys, null).json().get("keys")).isNotEmpty();
    }
}
