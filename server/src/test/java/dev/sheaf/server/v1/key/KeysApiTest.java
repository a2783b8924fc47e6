package dev.sheaf.server.v1.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// API keys over HTTP (specification, endpoint 1; contract 5.1).
class KeysApiTest extends OnEveryStack {
    private static final String KEYS = "/v1/organizations/default/api-keys";

    @Test
    void aKeyWithoutScopesReads() {
        var reply = app().post(KEYS, app().admin(), """
                {"name": "plain"}""");

        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        var key = reply.json();
        assertThat(reply.header("Location"))
                .isEqualTo(KEYS + "/" + key.get("id").stringValue());
        assertThat(key.get("scopes").toString()).isEqualTo("[\"read\"]");
        assertThat(key.get("state").stringValue()).isEqualTo("active");
        assertThat(key.get("key").stringValue()).matches("shf_[0-9A-Za-z]{36}");
        assertThat(key.get("hint").stringValue())
                .isEqualTo("shf_…" + key.get("key").stringValue().substring(36));
        assertThat(key.get("createdAt").stringValue()).endsWith("Z");
    }

    @Test
    void theSecretIsShownOnceAndNowhereStored() {
        var created = app().post(KEYS, app().admin(), """
                {"name": "once", "scopes": ["write"]}""").json();
        String secret = created.get("key").stringValue();

        var again = app().get(KEYS + "/" + created.get("id").stringValue(), app().admin());
        var list = app().get(KEYS + "?limit=100", app().admin());

        assertThat(again.json().has("key")).isFalse();
        assertThat(again.text() + list.text()).doesNotContain(secret).contains("once");
        var stored = app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT * FROM api_key WHERE name = 'once'")
                        .mapToMap()
                        .one());
        assertThat(stored.toString()).doesNotContain(secret.substring(4, 34));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                           | /name
            {"name": ""}                                                 | /name
            {"name": "   "}                                              | /name
            {"name": 7}                                                  | /name
            {"name": null}                                               | /name
            {"name": "x", "scopes": []}                                  | /scopes
            {"name": "x", "scopes": "read"}                              | /scopes
            {"name": "x", "scopes": ["read", "read"]}                    | /scopes/1
            {"name": "x", "scopes": ["read", "root"]}                    | /scopes/1
            {"name": "x", "scopes": [1]}                                 | /scopes/0
            {"name": "x", "expiresAT": "2040-01-01T00:00:00Z"}           | /expiresAT
            {"name": "x", "expiresAt": "tomorrow"}                       | /expiresAt
            {"name": "x", "expiresAt": "2001-01-01T00:00:00Z"}           | /expiresAt
            {"name": "x", "expiresAt": "+999999999-12-31T23:59:59Z"}     | /expiresAt
            {"name": "x", "expiresIn": "P999999999D"}                    | /expiresIn
            {"name": "x", "expiresIn": "90 days"}                        | /expiresIn
            {"name": "x", "expiresIn": "P900000000Y"}                    | /expiresIn
            {"name": "x", "expiresIn": "PT9999999999999999S"}            | /expiresIn
            {"name": "x", "expiresIn": "P-1D"}                           | /expiresIn
            {"name": "x", "expiresIn": "P1D", "expiresAt": "2040-01-01T00:00:00Z"} | /expiresIn
            {"name": "x", "restrictions": {"cidrs": ["10.0.0.1/8"]}}     | /restrictions/cidrs/0
            {"name": "x", "restrictions": {"bundles": ["nope"]}}         | /restrictions/bundles/0
            {"name": "x", "restrictions": {"namespaces": ["UP"]}}        | /restrictions/namespaces/0
            {"name": "x", "restrictions": {"namespace": ["up"]}}         | /restrictions/namespace
            """)
    void whatIsWrongIsNamed(String body, String pointer) {
        var reply = app().post(KEYS, app().admin(), body);

        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(reply.json().get("code").stringValue()).isEqualTo("validation-failed");
        var first = reply.json().get("errors").get(0);
        assertThat(first.get("pointer").stringValue()).isEqualTo(pointer);
        assertThat(first.get("field").stringValue()).isEqualTo(pointer);
        assertThat(first.get("message").stringValue())
                .isEqualTo(first.get("detail").stringValue());
    }

    @Test
    void namesAreUniqueAmongLiveKeys() {
        var first = app().post(KEYS, app().admin(), """
                {"name": "deploy"}""").json();

        var second = app().post(KEYS, app().admin(), """
                {"name": "deploy"}""");
        app().send("DELETE", KEYS + "/" + first.get("id").stringValue(), app().admin(), null);
        var third = app().post(KEYS, app().admin(), """
                {"name": "deploy"}""");

        assertThat(second.status()).isEqualTo(409);
        assertThat(second.json().get("code").stringValue()).isEqualTo("name-taken");
        assertThat(third.status()).isEqualTo(201);
    }

    @Test
    void aRevokedKeyIsRefusedAtOnceAndRevokingAgainIsFine() {
        var created = app().post(KEYS, app().admin(), """
                {"name": "leaver"}""").json();
        String path = KEYS + "/" + created.get("id").stringValue();
        String secret = created.get("key").stringValue();
        assertThat(app().get("/v1/publisher/me", secret).status()).isEqualTo(200);

        int first = app().send("DELETE", path, app().admin(), null).status();
        var refused = app().get("/v1/publisher/me", secret);
        int second = app().send("DELETE", path, app().admin(), null).status();

        assertThat(List.of(first, second)).containsExactly(204, 204);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.json().get("detail").stringValue()).contains("revoked");
        assertThat(app().get(path, app().admin()).json().get("state").stringValue())
                .isEqualTo("revoked");
    }

    @Test
    void anExpiredKeyIsRefused() {
        var created = app().post(KEYS, app().admin(), """
                {"name": "brief", "expiresIn": "PT1H"}""").json();
        String secret = created.get("key").stringValue();
        assertThat(app().get("/v1/publisher/me", secret).status()).isEqualTo(200);

        pass(Duration.ofHours(1));

        var refused = app().get("/v1/publisher/me", secret);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.json().get("detail").stringValue()).contains("expired");
        assertThat(app().get(KEYS + "?state=expired&limit=100", app().admin()).text())
                .contains("brief");
    }

    @Test
    void noKeyGrantsMoreThanItHas() {
        var end = Instant.now().plus(Duration.ofDays(40)).toString();
        String narrow = app().post(KEYS, app().admin(), """
                {"name": "narrow-admin", "scopes": ["admin"], "expiresAt": "%s",
                 "restrictions": {"namespaces": ["acme"]}}""".formatted(end))
                .json()
                .get("key")
                .stringValue();

        var wider = app().post(KEYS, narrow, """
                {"name": "wider"}""");
        var within = app().post(KEYS, narrow, """
                {"name": "within", "expiresIn": "P1D", "restrictions": {"namespaces": ["acme"]}}""");

        assertThat(wider.status()).isEqualTo(422);
        assertThat(pointers(wider.json())).containsExactly("/restrictions", "/expiresAt");
        assertThat(within.status()).isEqualTo(201);
    }

    private static List<String> pointers(JsonNode problem) {
        var pointers = new ArrayList<String>();
        problem.get("errors").forEach(error -> pointers.add(error.get("pointer").stringValue()));
        return pointers;
    }

    @Test
    void theListPagesWithoutLossAndKeepsItsFilters() {
        for (int i = 0; i < 5; i++) {
            app().key("page-" + i, "read");
        }
        var seen = new ArrayList<String>();
        String next = KEYS + "?limit=2&state=active";
        while (!next.isEmpty()) {
            var page = app().get(next, app().admin());
            page.json().get("data").forEach(key -> seen.add(key.get("name").stringValue()));
            String link = page.header("Link");
            assertThat(page.json().get("meta").get("hasMore").booleanValue()).isEqualTo(!link.isEmpty());
            next = link.isEmpty() ? "" : link.substring(link.indexOf("/v1"), link.indexOf('>'));
        }

        assertThat(seen)
                .doesNotHaveDuplicates()
                .contains("page-0", "page-1", "page-2", "page-3", "page-4", "bootstrap");
        String cursor = app().get(KEYS + "?limit=2&state=active", app().admin())
                .json()
                .get("meta")
                .get("nextCursor")
                .stringValue();
        var other = app().get(KEYS + "?limit=2&state=revoked&cursor=" + cursor, app().admin());
        assertThat(other.status()).isEqualTo(400);
        assertThat(other.json().get("code").stringValue()).isEqualTo("invalid-cursor");
    }

    @Test
    void anOrganizationIsFoundByIdAndByHandleAndOnlyByItsOwnKeys() {
        String id = app().get("/v1/organizations/default", app().admin())
                .json()
                .get("id")
                .stringValue();
        String stranger = app().secondOrganization("strangers");

        assertThat(app().get("/v1/organizations/" + id + "/api-keys", app().admin())
                        .status())
                .isEqualTo(200);
        assertThat(app().get("/v1/organizations/" + id + "/api-keys", stranger).status())
                .isEqualTo(404);
        assertThat(app().get("/v1/organizations/none/api-keys", app().admin()).status())
                .isEqualTo(404);
    }
}
