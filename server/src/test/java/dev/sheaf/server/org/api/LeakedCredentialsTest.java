package dev.sheaf.server.org.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.wire.account.SignedIn;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.identity.api.OidcSignInTest;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.Turns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Credentials that somebody found are handed in (contract 5.1).
class LeakedCredentialsTest extends KeyScenario {
    private static final Duration SOON = Duration.ofSeconds(30); // on however slow a machine

    @Override
    public Map<String, String> settings() {
        return Map.of("max-live-keys", "1000");
    }

    private Reply report(String... credentials) {
        return app().post(
                        "/v1/leaked-credentials",
                        null,
                        "{\"credentials\": [\"" + String.join("\", \"", credentials) + "\"]}");
    }

    private ApiKey read(ApiKey key) {
        return app().get(KEYS + "/" + key.id(), app().admin()).as(ApiKey.class);
    }

    private boolean isRevoked(ApiKey key) {
        return read(key).state().equals("revoked");
    }

    @Test
    void aRealKeyIsRevokedAndItsOwnersAreTold() {
        var key = named("leaked");
        var off = named("leaked while disabled");
        app().send("PATCH", KEYS + "/" + off.id(), app().admin(), "{\"disabled\": true}");

        var reply = report("  " + secret(key) + "\\n", secret(off), secret(key), "no key at all");

        assertThat(reply.status()).isEqualTo(202);
        assertThat(reply.text()).isEqualTo("{\"received\":4}");
        Eventually.within(SOON, () -> isRevoked(key) && isRevoked(off));
        var refused = app().get("/v1/me", secret(key));
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.problem().detail()).contains("revoked");
        var now = read(key);
        assertThat(now.revokedReason()).isEqualTo("leaked");
        assertThat(now.revokedBy()).isEqualTo("leak-report");
        assertThat(column("SELECT type FROM event WHERE subject = :subject", key))
                .containsExactlyInAnyOrder("api_key.created", "api_key.leaked", "api_key.revoked");
        assertThat(column("SELECT action || ' ' || actor || ' ' || address FROM audit WHERE subject = :subject", key))
                .contains("api_key.leak leak-report 127.0.0.1");
        assertThat(column("SELECT data FROM event WHERE subject = :subject", key)
                        .toString())
                .doesNotContain(secret(key).substring(4, 30));
    }

    private List<String> column(String sql, ApiKey key) {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery(sql)
                        .bind("subject", key.id().toString())
                        .mapTo(String.class)
                        .list());
    }

    /// A token has less than its key, so who holds it must not be able to end the key.
    @Test
    void aTokenDoesNotTakeItsKeyWithIt() {
        var key = named("of a token");
        String token = app().get("/v2/token", secret(key)).json().get("token").stringValue();
        var marker = named("handed in after it");

        report(token);
        report(secret(marker));

        Eventually.within(SOON, () -> isRevoked(marker));
        assertThat(app().get("/v1/me", secret(key)).status()).isEqualTo(200);
        assertThat(column("SELECT action FROM audit WHERE id IS NOT NULL AND :subject <> ''", key))
                .contains("access_token.leak");
    }

    @Test
    void aRefreshTokenEndsWithItsSession() {
        app().person("leaks@acme.test", "default", "reader");
        var signedIn = app().signIn("leaks@acme.test", TestApp.PASSWORD);
        String token = signedIn.as(SignedIn.class).accessToken();
        var session = signedIn.as(SignedIn.class).sessionId();
        String cookie = OidcSignInTest.cookie(signedIn, "sheaf_refresh");
        assertThat(app().get("/v1/users/me", token).status()).isEqualTo(200);

        report(cookie.substring(cookie.indexOf('=') + 1), "shr_none");

        Eventually.within(SOON, () -> app().get("/v1/users/me", token).status() == 401);
        assertThat(app().send(app().request("POST", "/v1/sessions/current:refresh", null, null)
                                .header("Cookie", cookie))
                        .status())
                .isEqualTo(401);
        assertThat(app().database()
                        .<List<String>>read(tx -> tx.handle()
                                .createQuery("""
                                        SELECT type FROM event WHERE subject = :session
                                        UNION ALL SELECT action || ' ' || actor FROM audit WHERE subject = :session
                                        """)
                                .bind("session", session)
                                .mapTo(String.class)
                                .list()))
                .contains("access_token.leaked", "refresh_token.leak leak-report");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{\"credentials\": null}", "{\"credentials\": \"x\"}", "{\"credentials\": [1]}", "[]"})
    void aReportIsAListOfTexts(String body) {
        assertThat(app().post("/v1/leaked-credentials", null, body).status()).isEqualTo(422);
    }

    @Test
    void aReportHasAHundredCredentialsAtMost() {
        String[] hundred = Collections.nCopies(100, "x".repeat(9_000)).toArray(String[]::new);
        String[] more = Collections.nCopies(101, "x").toArray(String[]::new);
        String[] large = Collections.nCopies(100, "x".repeat(11_000)).toArray(String[]::new);

        assertThat(report(hundred).status()).isEqualTo(202);
        assertThat(report(more).status()).isEqualTo(422);
        assertThat(report(large).status()).isEqualTo(413);
        assertThat(report().status()).isEqualTo(202);
    }

    /// Reports of real and of unknown keys may differ by what machines differ. What would be told by a commit
    /// within the request, a millisecond and more, would show.
    @Test
    @Tag("measure")
    void theTimeOfTheAnswerDoesNotTellWhatWasReported() {
        double ratio = Turns.nearest(2, () -> {
            var real = new ArrayList<String>();
            for (int i = 0; i < 60; i++) {
                real.add(secret(named("timed " + System.nanoTime())));
            }
            return Turns.ratio(
                    20,
                    40,
                    round -> nanos(real.get(round)),
                    round -> nanos(KeyFormat.generate().expose()));
        });

        System.out.printf("the report of a real key takes %.2f times as long as that of an unknown one%n", ratio);
        assertThat(ratio).isBetween(0.5, 2.0);
    }

    private long nanos(String credential) {
        long begun = System.nanoTime();
        var reply = report(credential);
        long taken = System.nanoTime() - begun;
        assertThat(reply.status() + reply.text()).isEqualTo("202{\"received\":1}");
        return taken;
    }
}
