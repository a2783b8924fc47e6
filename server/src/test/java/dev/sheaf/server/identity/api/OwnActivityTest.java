package dev.sheaf.server.identity.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.admin.AuditRecord;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.testing.OnEveryStack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What people see of what they did, and the zone of their times.
@SuppressWarnings("NullAway") // set by JUnit
class OwnActivityTest extends OnEveryStack {
    private static final String LOG = "/v1/users/me/audit-log";
    private static final String ME = "/v1/users/me";

    private String one;
    private String other;

    @Override
    public void prepare() {
        one = app().person("one@acme.test", "default", "reader");
        other = app().person("other@acme.test", "default", "owner");
    }

    @Test
    void holdsWhatOneDidInAllOrganizationsAndNothingElse() {
        String one = app().person("fresh@acme.test", "default", "reader");
        app().send("PATCH", ME, one, "{\"fullName\": \"One\"}");
        app().post("/v1/organizations/default/queues", other, "{\"name\": \"q\"}");
        app().post("/v1/organizations/default/queues", one, "{\"name\": \"refused\"}");
        app().writeRefusals();

        var log = app().get(LOG, one);

        assertThat(log.header("Cache-Control")).contains("no-store");
        log.list(AuditRecord.class)
                .forEach(entry -> assertThat(entry.actor().name()).isEqualTo("fresh@acme.test"));
        assertThat(log.text())
                .contains("user.rename", "session.begin", "call.refused")
                .doesNotContain("queue.create");
        assertThat(app().get(LOG + "?action=user.*&limit=1", one).text())
                .contains("user.rename")
                .doesNotContain("session.begin");
    }

    /// Nobody asks for somebody else's by naming them.
    @Test
    void itsActorCannotBeChosen() {
        var id = app().get(ME, other).as(User.class).id();

        assertThat(app().get(LOG + "?actor=user:" + id, one).text()).doesNotContain("other@acme.test");
    }

    @Test
    void rejectsKeys() {
        assertThat(app().get(LOG, app().admin()).status()).isEqualTo(403);
        assertThat(app().get(LOG, null).status()).isEqualTo(401);
        var key = app().newKey("""
                {"name": "k", "scopes": ["admin"]}""");
        String token = app().token(key.id(), new Grant.Delegated(Scope.ADMIN, CredentialRestrictions.NONE));
        assertThat(app().get(LOG, token).status()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Zurich", "America/Argentina/Buenos_Aires", "UTC", "Etc/GMT+5"})
    void takesATimeZone(String zone) {
        var set =
                app().send("PATCH", ME, one, "{\"timeZone\": \"" + zone + "\"}").as(User.class);

        assertThat(set.timeZone()).isEqualTo(zone);
        assertThat(app().get(ME, one).as(User.class).timeZone()).isEqualTo(zone);
        assertThat(app().get(LOG + "?action=user.time_zone", one).text()).contains("user.time_zone");
        assertThat(app().send("PATCH", ME, one, "{\"fullName\": \"One\"}").text())
                .contains(zone);
        assertThat(app().send("PATCH", ME, one, "{\"timeZone\": null}").text()).doesNotContain("timeZone\":\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Mars/Olympus", "+02:00", "UTC+2", "europe/zurich", "../etc/passwd", "<b>"})
    void rejectsUnknownTimeZone(String zone) {
        var refused = app().send("PATCH", ME, one, "{\"timeZone\": \"" + zone + "\"}");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text()).contains("/timeZone", "Europe/Zurich");
    }

    @Test
    void repeatedChangeIsLoggedOnce() {
        String one = app().person("twice@acme.test", "default", "reader");
        app().send("PATCH", ME, one, "{\"timeZone\": \"Asia/Tokyo\"}");
        app().send("PATCH", ME, one, "{\"timeZone\": \"Asia/Tokyo\"}");

        assertThat(app().get(LOG + "?action=user.time_zone", one).list(AuditRecord.class))
                .hasSize(1);
    }
}
