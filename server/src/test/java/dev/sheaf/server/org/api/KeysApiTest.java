package dev.sheaf.server.org.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.server.testing.ProblemBody;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// API keys over HTTP (specification, endpoint 1; contract 5.1).
class KeysApiTest extends KeyScenario {
    @Test
    void keyWithoutScopesGetsRead() {
        var reply = app().post(KEYS, app().admin(), """
                {"name": "plain"}""");

        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        var key = reply.as(ApiKey.class);
        assertThat(reply.header("Location")).isEqualTo(KEYS + "/" + key.id());
        assertThat(key.scopes()).containsExactly("read");
        assertThat(key.state()).isEqualTo("active");
        assertThat(key.key()).matches("shf_[0-9A-Za-z]{36}").endsWith(key.hint().replace("shf_…", ""));
        assertThat(key.hint()).matches("shf_….{4}");
    }

    @Test
    void theSecretIsShownOnceAndNowhereStored() {
        var created = app().post(KEYS, app().admin(), """
                {"name": "once", "scopes": ["write"]}""").as(ApiKey.class);
        String secret = secret(created);

        var again = app().get(KEYS + "/" + created.id(), app().admin());
        var list = app().get(KEYS + "?limit=100", app().admin());

        assertThat(again.as(ApiKey.class).key()).isNull();
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
    void rejectsWrongMemberByName(String body, String pointer) {
        var reply = app().post(KEYS, app().admin(), body);

        reply.assertRefused("422 validation-failed");
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");

        var first = reply.problem().errors().getFirst();
        assertThat(first.pointer()).isEqualTo(pointer);
        assertThat(first.field()).isEqualTo(pointer);
        assertThat(first.message()).isEqualTo(first.detail());
    }

    @Test
    void namesAreUniqueAmongLiveKeys() {
        var first = app().post(KEYS, app().admin(), """
                {"name": "deploy"}""").as(ApiKey.class);

        var second = app().post(KEYS, app().admin(), """
                {"name": "deploy"}""");
        app().send("DELETE", KEYS + "/" + first.id(), app().admin(), null);
        var third = app().post(KEYS, app().admin(), """
                {"name": "deploy"}""");

        second.assertRefused("409 name-taken");
        assertThat(third.status()).isEqualTo(201);
    }

    @Test
    void aRevokedKeyIsRefusedAtOnceAndRevokingAgainIsFine() {
        var created = app().post(KEYS, app().admin(), """
                {"name": "leaver"}""").as(ApiKey.class);
        String path = KEYS + "/" + created.id();
        String secret = secret(created);
        assertThat(app().get("/v1/publisher/me", secret).status()).isEqualTo(200);

        int first = app().send("DELETE", path, app().admin(), null).status();
        var refused = app().get("/v1/publisher/me", secret);
        int second = app().send("DELETE", path, app().admin(), null).status();

        assertThat(List.of(first, second)).containsExactly(204, 204);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.problem().detail()).contains("revoked");
        assertThat(app().get(path, app().admin()).as(ApiKey.class).state()).isEqualTo("revoked");
    }

    @Test
    void anExpiredKeyIsRefused() {
        var created = app().post(KEYS, app().admin(), """
                {"name": "brief", "expiresIn": "PT1H"}""").as(ApiKey.class);
        String secret = secret(created);
        assertThat(app().get("/v1/publisher/me", secret).status()).isEqualTo(200);

        pass(Duration.ofHours(1));

        var refused = app().get("/v1/publisher/me", secret);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.problem().detail()).contains("expired");
        assertThat(app().get(KEYS + "?state=expired&limit=100", app().admin()).text())
                .contains("brief");
    }

    @Test
    void rejectsKeyWiderThanItsMaker() {
        var end = Instant.now().plus(Duration.ofDays(40)).toString();
        String narrow = requireNonNull(app().post(KEYS, app().admin(), """
                {"name": "narrow-admin", "scopes": ["admin"], "expiresAt": "%s",
                 "restrictions": {"namespaces": ["acme"]}}""".formatted(end))
                .as(ApiKey.class)
                .key());

        var wider = app().post(KEYS, narrow, """
                {"name": "wider"}""");
        var within = app().post(KEYS, narrow, """
                {"name": "within", "expiresIn": "P1D", "restrictions": {"namespaces": ["acme"]}}""");

        assertThat(wider.status()).isEqualTo(422);
        assertThat(wider.problem().errors())
                .extracting(ProblemBody.Finding::pointer)
                .containsExactly("/restrictions", "/expiresAt");
        assertThat(within.status()).isEqualTo(201);
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
            page.list(ApiKey.class).forEach(key -> seen.add(key.name()));
            String link = page.header("Link");
            assertThat(page.page(ApiKey.class).meta().hasMore()).isEqualTo(!link.isEmpty());
            next = link.isEmpty() ? "" : link.substring(link.indexOf("/v1"), link.indexOf('>'));
        }

        assertThat(seen)
                .doesNotHaveDuplicates()
                .contains("page-0", "page-1", "page-2", "page-3", "page-4", "bootstrap");
        String cursor = app().get(KEYS + "?limit=2&state=active", app().admin())
                .page(ApiKey.class)
                .meta()
                .nextCursor();
        var other = app().get(KEYS + "?limit=2&state=revoked&cursor=" + cursor, app().admin());
        other.assertRefused("400 invalid-cursor");
    }

    @Test
    void anOrganizationIsFoundByIdAndByHandleAndOnlyByItsOwnKeys() {
        var id = app().get("/v1/organizations/default", app().admin())
                .as(Organization.class)
                .id();
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
