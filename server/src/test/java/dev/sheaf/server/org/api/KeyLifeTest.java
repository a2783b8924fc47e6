package dev.sheaf.server.org.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.Me;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What happens to API keys after they were made (contract 5.1, 3.7).
class KeyLifeTest extends KeyScenario {
    private Reply patch(String id, String body) {
        return app().send("PATCH", KEYS + "/" + id, app().admin(), body);
    }

    private List<String> audited(String subject) {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT action FROM audit WHERE subject = :subject ORDER BY id")
                        .bind("subject", subject)
                        .mapTo(String.class)
                        .list());
    }

    // --- patch ---

    @Test
    void nameAndDescriptionChangeAndTheRestStays() {
        var key = create("\"name\": \"before\", \"description\": \"old\", \"scopes\": [\"write\"]");

        var renamed = patch(id(key), "{\"name\": \"after\"}").as(ApiKey.class);
        var undescribed = patch(id(key), "{\"description\": null}");

        assertThat(renamed.name()).isEqualTo("after");
        assertThat(renamed.description()).isEqualTo("old");
        assertThat(undescribed.status()).isEqualTo(200);
        assertThat(undescribed.as(ApiKey.class).description()).isNull();
        assertThat(undescribed.as(ApiKey.class).scopes()).containsExactly("write");
        assertThat(undescribed.as(ApiKey.class).key()).isNull();
        assertThat(app().get("/v1/me", secret(key)).as(Me.class).credentialName())
                .isEqualTo("after");
        assertThat(audited(id(key))).containsExactly("api_key.create", "api_key.update", "api_key.update");
        assertThat(events(id(key))).containsExactly("api_key.created", "api_key.updated", "api_key.updated");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"scopes": ["admin"]}                        | /scopes
            {"scopes": null}                             | /scopes
            {"restrictions": {"namespaces": ["acme"]}}   | /restrictions
            {"restrictions": null}                       | /restrictions
            {"expiresAt": "2099-01-01T00:00:00Z"}        | /expiresAt
            {"expiresIn": "P9D"}                         | /expiresIn
            {"name": " "}                                | /name
            {"name": null}                               | /name
            {"disabled": "yes"}                          | /disabled
            {"disabld": true}                            | /disabld
            """)
    void rejectsChangesOfScopesAndRestrictions(String body, String pointer) {
        String id = id(named("fixed " + UUID.randomUUID()));
        var before = read(id);

        var reply = patch(id, body);

        assertThat(reply.status()).isEqualTo(422);
        var error = reply.problem().errors().getFirst();
        assertThat(error.pointer()).isEqualTo(pointer);
        if (!body.contains("name") && !body.contains("disab")) {
            assertThat(error.detail()).contains("cannot be changed; create a new key");
        }
        assertThat(read(id)).isEqualTo(before);
    }

    @Test
    void aDisabledKeyIsRefusedWithItsTokensAndWorksAgainWhenItIsEnabled() {
        var key = named("switched");
        String token = app().get("/v2/token", secret(key)).json().get("token").stringValue();

        var off = patch(id(key), "{\"disabled\": true}").as(ApiKey.class);
        var refused = app().get("/v1/me", secret(key));
        int tokenRefused = app().get("/v2/", token).status();
        var on = patch(id(key), "{\"disabled\": false}").as(ApiKey.class);

        assertThat(off.state()).isEqualTo("disabled");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.problem().detail()).contains("disabled");
        assertThat(tokenRefused).isEqualTo(401);
        assertThat(on.state()).isEqualTo("active");
        assertThat(app().get("/v1/me", secret(key)).status()).isEqualTo(200);
        assertThat(app().get("/v2/", token).status()).isEqualTo(200);
        assertThat(audited(id(key))).containsExactly("api_key.create", "api_key.disable", "api_key.enable");
    }

    @Test
    void aBusyKeyKeepsItsEtagAndAnOldEtagIsRefused() {
        var key = named("tagged");
        String etag = app().get(KEYS + "/" + id(key), app().admin()).header("ETag");
        use(key);

        var first = patchIf(etag, id(key), "{\"description\": \"one\"}");
        var second = patchIf(etag, id(key), "{\"description\": \"two\"}");
        var delete = app().send(app().request("DELETE", KEYS + "/" + id(key), app().admin(), null)
                .header("If-Match", etag));

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.header("ETag")).isNotEqualTo(etag);
        assertThat(List.of(second.status(), delete.status())).containsExactly(412, 412);
        assertThat(read(id(key)).description()).isEqualTo("one");
    }

    private Reply patchIf(String etag, String id, String body) {
        return app().send(app().request("PATCH", KEYS + "/" + id, app().admin(), body)
                .header("If-Match", etag));
    }

    private void use(ApiKey key) {
        app().database()
                .write(tx -> tx.handle()
                        .createUpdate("UPDATE api_key SET last_used_at = :now WHERE id = :id")
                        .bind("now", tx.now())
                        .bind("id", id(key))
                        .execute());
    }

    @Test
    void rejectsNameOfOtherLiveKey() {
        named("taken");
        var key = named("free");

        var reply = patch(id(key), "{\"name\": \"taken\"}");

        reply.assertRefused("409 name-taken");
    }

    @Test
    void rejectsChangesOfEndedKey() {
        var revoked = named("over");
        app().send("DELETE", KEYS + "/" + id(revoked), app().admin(), null);

        for (var reply : List.of(patch(id(revoked), "{\"disabled\": true}"), rotate(id(revoked), "{}"))) {
            assertThat(reply.status()).isEqualTo(409);
            assertThat(reply.problem().detail()).contains("revoked");
        }
        assertThat(patch(UUID.randomUUID().toString(), "{}").status()).isEqualTo(404);
    }

    // --- rotate ---

    @Test
    void aRotatedKeyHasTheSameRightsAndTheOldOneRetires() {
        var old = create("""
                "name": "turns", "description": "d", "scopes": ["read", "write"], "expiresIn": "P60D",
                "restrictions": {"namespaces": ["acme"], "cidrs": ["127.0.0.0/8"]}""");
        pass(Duration.ofDays(20));

        var reply = rotate(id(old), "{\"overlap\": \"P2D\"}");

        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        var next = reply.as(ApiKey.class);
        assertThat(reply.header("Location")).isEqualTo(KEYS + "/" + id(next));
        assertThat(next)
                .usingRecursiveComparison()
                .comparingOnlyFields("name", "description", "scopes", "restrictions")
                .isEqualTo(old);
        assertThat(secret(next)).isNotEqualTo(secret(old));
        assertThat(next.rotatedFrom()).isEqualTo(old.id());
        assertThat(lives(next)).isEqualTo(Duration.ofDays(60));
        var retiring = read(id(old));
        assertThat(retiring.state()).isEqualTo("retiring");
        assertThat(retiring.replacedBy()).isEqualTo(next.id());
        assertThat(retiring.retiresAt()).isEqualTo(next.createdAt().plus(Duration.ofDays(2)));
        assertThat(app().get("/v1/me", secret(old)).status()).isEqualTo(200);
        pass(Duration.ofDays(2).plusSeconds(5)); // the database's clock is not quite that of the node
        assertThat(app().get("/v1/me", secret(old)).problem().detail()).contains("expired");
        assertThat(app().get("/v1/me", secret(next)).status()).isEqualTo(200);
        assertThat(events(id(old))).contains("api_key.rotated");
        assertThat(audited(id(old))).contains("api_key.rotate");
    }

    @Test
    void withoutOverlapTheOldKeyEndsAtOnce() {
        var old = named("at once");
        use(old);
        assertThat(app().get("/v1/me", secret(old)).status()).isEqualTo(200);

        rotate(id(old), "{\"overlap\": \"PT0S\"}");

        assertThat(app().get("/v1/me", secret(old)).status()).isEqualTo(401);
        assertThat(read(id(old)).state()).isEqualTo("expired");
    }

    @Test
    void anOverlapEndsWithTheKeyItself() {
        var old = create("\"name\": \"brief\", \"expiresIn\": \"PT1H\"");

        rotate(id(old), "{\"overlap\": \"P30D\"}");

        assertThat(read(id(old)).retiresAt()).isEqualTo(old.expiresAt());
    }

    @ParameterizedTest
    @ValueSource(strings = {"P31D", "PT-1S", "P1M", "soon", "P30DT1S", "PT9999999999999H"})
    void anOverlapIsAtMostThirtyDays(String overlap) {
        var key = named("overlap " + UUID.randomUUID());

        var reply = rotate(id(key), "{\"overlap\": \"" + overlap + "\"}");

        assertThat(reply.status()).isEqualTo(422);
        assertThat(read(id(key)).state()).isEqualTo("active");
    }

    @Test
    void onlyAnActiveKeyIsRotatedAndItsNameStaysItsOwn() {
        var key = named("chain");
        var next =
                app().post(KEYS + "/" + id(key) + ":rotate", app().admin(), "").as(ApiKey.class);

        var again = rotate(id(key), "{}");
        var third = rotate(id(next), "{}");
        var stranger = app().post(KEYS, app().admin(), "{\"name\": \"chain\"}");
        patch(id(third.as(ApiKey.class)), "{\"disabled\": true}");
        var disabled = rotate(id(third.as(ApiKey.class)), "{}");

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.problem().detail()).contains(id(next));
        assertThat(third.status()).isEqualTo(201);
        assertThat(stranger.status()).isEqualTo(409);
        assertThat(disabled.status()).isEqualTo(409);
    }

    @Test
    void aRepeatedRotationMakesOneKeyAndShowsNoSecretAgain() {
        var key = named("repeated");
        var first = rotateOnce(id(key));
        var second = rotateOnce(id(key));

        assertThat(first.status()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(second.as(ApiKey.class).id())
                .isEqualTo(first.as(ApiKey.class).id());
        assertThat(second.as(ApiKey.class).key()).isNull();
    }

    private Reply rotateOnce(String id) {
        return app().send(app().request("POST", KEYS + "/" + id + ":rotate", app().admin(), "{}")
                .header("Idempotency-Key", "rotate-" + id));
    }

    private static Duration lives(ApiKey key) {
        // requests with expiresIn are read a moment before the transaction
        return Duration.ofHours(Duration.between(key.createdAt(), key.expiresAt())
                .plusMinutes(1)
                .toHours());
    }

    // --- self-revoke ---

    @Test
    void aKeyOfAnyScopeEndsItselfWithItsTokens() {
        for (String scope : List.of("read", "write", "admin")) {
            var key = create("\"name\": \"leaves " + scope + "\", \"scopes\": [\"" + scope + "\"]");
            String token =
                    app().get("/v2/token", secret(key)).json().get("token").stringValue();

            var reply = app().send("DELETE", "/v1/api-keys/current", secret(key), null);

            assertThat(reply.status()).isEqualTo(204);
            assertThat(app().get("/v1/me", secret(key)).problem().detail()).contains("revoked");
            assertThat(app().get("/v2/", token).status()).isEqualTo(401);
            assertThat(read(id(key)).revokedReason()).isEqualTo("revoked by itself");
        }
    }

    /// A key that leaked must be revocable whatever comes of it, and whoever runs the registry lets an owner in.
    @Test
    void theLastAdminKeyOfAnOrganizationCanBeRevoked() {
        String last = app().secondOrganization("keyless");
        String keys = "/v1/organizations/keyless/api-keys";
        var id = app().get(keys, last).list(ApiKey.class).getFirst().id();
        String other = requireNonNull(
                app().post(keys, last, "{\"name\": \"reads\"}").as(ApiKey.class).key());

        var revoked = app().send("DELETE", keys + "/" + id, last, null);

        assertThat(revoked.status()).as(revoked.text()).isEqualTo(204);
        assertThat(app().get(keys, last).status()).isEqualTo(401);
        assertThat(app().get("/v1/me", other).status())
                .as("other keys go on to work")
                .isEqualTo(200);
        String owner = app().person("owner@keyless.test", "keyless", "owner");
        assertThat(app().post(keys, owner, "{\"name\": \"next\", \"scopes\": [\"admin\"]}")
                        .status())
                .isEqualTo(201);
    }
}
