package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What holds for answers of every kind: who may keep them, how they are told again, and in whose words.
class AnswerRulesTest extends OnEveryStack {
    private static final String KIT = "/v1/namespaces/acme/bundles/kit";

    @Override
    public Map<String, String> settings() {
        return Map.of("cors-origins", "https://app.example.org");
    }

    @Override
    public void prepare() {
        assertThat(app().push("acme/kit", "1.0.0", "public", "# Kit").status()).isEqualTo(201);
    }

    @Test
    void anErrorIsPrivateAndDependsOnWhoAsks() {
        for (String path : List.of(
                KIT + ":resolve?version=9",
                "/v1/namespaces/acme/bundles/none",
                "/v1/hub/bundles/acme/none",
                "/v1/me",
                "/v2/acme/none/tags/list",
                "/nowhere")) {
            var reply = app().get(path, null);

            assertThat(reply.status()).as(path).isGreaterThanOrEqualTo(400);
            assertThat(reply.header("Cache-Control")).as(path).isEqualTo("private, no-store");
            assertThat(reply.response().headers().allValues("Vary").toString())
                    .as(path)
                    .contains("Authorization");
        }
    }

    @Test
    void aChangeOfVisibilityIsOneEntryOfTheAuditLog() {
        app().push("acme/seen", "1.0.0", "public", "# Seen");
        String seen = "/v1/namespaces/acme/bundles/seen";
        app().send("PATCH", seen, app().admin(), "{\"visibility\": \"private\"}");
        app().send("PATCH", seen, app().admin(), "{\"visibility\": \"public\", \"name\": \"Other\"}");
        app().send("PATCH", seen, app().admin(), "{\"name\": \"Another\"}");

        var actions = app().get("/v1/organizations/default/audit-log?subject=acme/seen&limit=100", app().admin())
                .json()
                .get("data")
                .findValuesAsString("action");
        assertThat(actions)
                .filteredOn(action -> !action.contains("publish") && !action.contains("create"))
                .containsExactly("bundle.update", "bundle.make_public", "bundle.make_private");
    }

    @Test
    void pagesOfOthersMaySeeThatAKeyEndsSoon() {
        var reply = app().send(app().request("GET", KIT, null, null).header("Origin", "https://app.example.org"));

        assertThat(reply.header("Access-Control-Expose-Headers").split(", ")).contains("X-API-Key-Expiring");
    }

    @Test
    void aNamespaceThatOneOwnsIsThere() {
        String body = "{\"handle\": \"fresh\"}";

        assertThat(app().post("/v1/organizations/default/namespaces", app().admin(), body)
                        .status())
                .isEqualTo(201);
        var again = app().post("/v1/organizations/default/namespaces", app().admin(), body);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("handle").stringValue()).isEqualTo("fresh");
        assertThat(app().post("/v1/organizations/second/namespaces", app().secondOrganization("second"), body)
                        .status())
                .isEqualTo(409);
    }

    @Test
    void theOldReaderIsToldItsOwnWordByTheHub() {
        app().post("/v1/namespaces/acme/bundles/tools:push", app().admin(), """
                {"name": "T", "visibility": "public", "version": "1.0.0",
                 "manifest": [{"logicalPath": "a.json", "assetType": "toolset", "contentText": "{}"}]}""");

        for (String path : List.of("/v1/hub/bundles?q=tools", "/v1/hub/bundles/acme/tools")) {
            assertThat(agent(path, "mush/1.0").text()).contains("\"assetTypes\":[\"tool_config\"]");
            assertThat(agent(path, "other/1.0 mush/1.0").text()).contains("\"assetTypes\":[\"toolset\"]");
            assertThat(agent(path, "other")
                            .response()
                            .headers()
                            .allValues("Vary")
                            .toString())
                    .contains("User-Agent");
        }
    }

    @Test
    void aSlugMayBeAWordThatNamespacesMayNot() {
        for (String slug : List.of("admin", "official", "hub", "v1", "api", "star")) {
            assertThat(app().push("acme/" + slug, "1.0.0", "public", "# S").status())
                    .as(slug)
                    .isEqualTo(201);
            assertThat(app().get("/v1/hub/bundles/acme/" + slug, null).status()).isEqualTo(200);
        }
    }

    @Test
    void aRefusalForWhatThereIsIsToldAgain() {
        String other = "{\"version\": \"1.0.0\", \"manifest\": [{\"logicalPath\": \"b.md\", \"contentText\": \"b\"}]}";
        var conflict = once(KIT + ":push", "conflict", other);
        var invalid = once(KIT + ":publish", "invalid", "{}");

        assertThat(conflict.status()).isEqualTo(409);
        assertThat(invalid.status()).isEqualTo(422);
        for (var first : List.of(conflict, invalid)) {
            boolean isConflict = first.status() == 409;
            var again = once(
                    KIT + (isConflict ? ":push" : ":publish"),
                    isConflict ? "conflict" : "invalid",
                    isConflict ? other : "{}");

            assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(again.status()).isEqualTo(first.status());
            assertThat(again.text()).isEqualTo(first.text());
            assertThat(again.header("Content-Type")).isEqualTo("application/problem+json");
        }
    }

    /// What may be otherwise the next time is tried anew.
    @Test
    void otherRefusalsAreNot() {
        String missing = "/v1/namespaces/acme/bundles/later:deprecate";
        assertThat(once(missing, "later", "{}").status()).isEqualTo(404);
        assertThat(app().push("acme/later", "1.0.0", "public", "# L").status()).isEqualTo(201);

        var reply = once(missing, "later", "{}");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Idempotency-Replayed")).isEmpty();
    }

    @Test
    void everySlugOfTheContractHasItsPage() {
        for (String slug :
                ("bundle-not-found version-not-found tag-not-found no-active-version asset-not-found version-exists"
                                + " version-deleted version-recalled tag-protected tag-moved name-taken name-reserved not-found validation-failed"
                                + " invalid-cursor bad-request payload-too-large unsupported-media-type precondition-failed"
                                + " idempotency-mismatch idempotency-in-progress rate-limited quota-exceeded lease-lost"
                                + " binary-assets visibility-mismatch conflict service-unavailable internal-error"
                                + " misdirected-request")
                        .split(" ")) {
            assertThat(app().get("/problems/" + slug, null).status()).as(slug).isEqualTo(200);
        }
    }

    private Reply agent(String path, String agent) {
        return app().send(app().request("GET", path, null, null).header("User-Agent", agent));
    }

    private Reply once(String path, String key, String body) {
        return app().send(app().request("POST", path, app().admin(), body).header("Idempotency-Key", key));
    }
}
