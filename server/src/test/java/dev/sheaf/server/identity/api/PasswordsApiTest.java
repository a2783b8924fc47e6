package dev.sheaf.server.identity.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.SignedIn;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.account.UserTicket;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Passwords that are changed, set by a ticket or reset, and accounts that are disabled, over HTTP.
class PasswordsApiTest extends OnEveryStack {
    private static final String NEXT = "four words make sense";

    private static String token(Reply reply) {
        return reply.as(SignedIn.class).accessToken();
    }

    private int me(String token) {
        return app().get("/v1/users/me", token).status();
    }

    private Reply change(String token, String old, String next) {
        return app().post("/v1/users/me:changePassword", token, """
                {"currentPassword": "%s", "newPassword": "%s"}""".formatted(old, next));
    }

    private Reply set(String ticket, String password) {
        return app().post("/v1/users:setPassword", null, """
                {"token": "%s", "password": "%s"}""".formatted(ticket, password));
    }

    private Reply admin(String email, String verb) {
        var reply = app().send("POST", "/v1/admin/users/" + email + verb, app().admin(), null);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    private String reset(String email) {
        return requireNonNull(
                admin(email, ":resetPassword").as(UserTicket.class).passwordToken());
    }

    @Test
    void aChangeEndsTheOtherSessionsAndTheOldPassword() {
        String here = app().person("changes@acme.test", "default", "reader");
        String there = token(app().signIn("changes@acme.test", TestApp.PASSWORD));
        String ticket = reset("changes@acme.test");

        assertThat(change(here, "wrong", NEXT).text()).contains("/currentPassword", "mismatch");
        assertThat(change(here, TestApp.PASSWORD, "changes@acme.test").text()).contains("/newPassword", "common");
        assertThat(change(here, TestApp.PASSWORD, "short").text()).contains("/newPassword", "range");
        assertThat(me(there)).isEqualTo(200);
        assertThat(change(here, TestApp.PASSWORD, NEXT).status()).isEqualTo(204);

        assertThat(me(here)).isEqualTo(200);
        assertThat(me(there)).isEqualTo(401);
        assertThat(app().signIn("changes@acme.test", TestApp.PASSWORD).status()).isEqualTo(401);
        assertThat(app().signIn("changes@acme.test", NEXT).status()).isEqualTo(200);
        assertThat(set(ticket, "another few words").status()).isEqualTo(404);
    }

    @Test
    void aTicketSetsAPasswordOnceAndEndsAllSessions() {
        String session = app().person("resets@acme.test", "default", "reader");
        String replaced = reset("resets@acme.test");
        String ticket = reset("resets@acme.test");
        assertThat(app().signIn("resets@acme.test", TestApp.PASSWORD).status()).isEqualTo(200);

        assertThat(set(replaced, NEXT).status()).isEqualTo(404);
        assertThat(set(ticket, "password1234").status()).isEqualTo(422);
        assertThat(me(session)).isEqualTo(200);
        assertThat(set(ticket, NEXT).status()).isEqualTo(204);

        assertThat(set(ticket, "another few words").status()).isEqualTo(404);
        assertThat(me(session)).isEqualTo(401);
        assertThat(app().signIn("resets@acme.test", TestApp.PASSWORD).status()).isEqualTo(401);
        assertThat(app().signIn("resets@acme.test", NEXT).status()).isEqualTo(200);
    }

    @Test
    void aTicketIsGoodForThreeDays() {
        var made = app().post("/v1/admin/users", app().admin(), "{\"email\": \"late@acme.test\"}")
                .as(UserTicket.class);
        String ticket = requireNonNull(made.passwordToken());
        assertThat(made.user().state()).isEqualTo("invited");
        pass(Duration.ofDays(3).plusSeconds(2));

        assertThat(set(ticket, NEXT).status()).isEqualTo(404);

        assertThat(set(reset("late@acme.test"), NEXT).status()).isEqualTo(204);
        assertThat(app().signIn("late@acme.test", NEXT).status()).isEqualTo(200);
    }

    @Test
    void disabledAccountIsRefusedAtOnce() {
        var signedIn = app().person("off@acme.test", "default", "admin");
        assertThat(app().get("/v1/namespaces", signedIn).status()).isNotEqualTo(401);
        var session = app().signIn("off@acme.test", TestApp.PASSWORD);
        String cookie = session.header("Set-Cookie").split(";", 2)[0];

        assertThat(admin("off@acme.test", ":disable").as(User.class).state()).isEqualTo("disabled");

        assertThat(me(signedIn)).isEqualTo(401);
        assertThat(refresh(cookie)).isEqualTo(401);
        assertThat(app().signIn("off@acme.test", TestApp.PASSWORD).text()).contains("disabled");
        assertThat(app().signIn("off@acme.test", "wrong").text()).doesNotContain("disabled");
        assertThat(admin("off@acme.test", ":enable").as(User.class).state()).isEqualTo("active");
        assertThat(me(signedIn)).isEqualTo(401);
        assertThat(refresh(cookie)).isEqualTo(401);
        assertThat(app().signIn("off@acme.test", TestApp.PASSWORD).status()).isEqualTo(200);
    }

    private int refresh(String cookie) {
        return app().send(app().request("POST", "/v1/sessions/current:refresh", null, null)
                        .header("Cookie", cookie))
                .status();
    }
}
