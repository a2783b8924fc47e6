package dev.sheaf.server.identity.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.RecoveryCodes;
import dev.sheaf.model.wire.account.TotpEnrolment;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.server.testing.Authenticator;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Scenarios with people whose password takes a code besides.
public abstract class TotpScenario extends OnEveryStack {
    public static final String TOTP = "/v1/users/me/totp";
    /// What enrolment takes.
    public static final String BODY = "{\"password\": \"" + TestApp.PASSWORD + "\"}";

    /// Somebody with an authenticator.
    ///
    /// @param token an access token
    record Person(String email, String token, Authenticator authenticator, List<String> recoveryCodes) {}

    /// Makes somebody whose password takes a code, with the code of now used up.
    final Person person(String email) {
        String token = app().person(email, "default", "reader");
        var authenticator = enrol(token);
        var confirmed = confirm(token, authenticator.code(instant()));
        assertThat(confirmed.status()).as(confirmed.text()).isEqualTo(200);
        return new Person(
                email, token, authenticator, confirmed.as(RecoveryCodes.class).recoveryCodes());
    }

    final Authenticator enrol(String token) {
        var enrolled = app().post(TOTP, token, BODY);
        assertThat(enrolled.status()).as(enrolled.text()).isEqualTo(200);
        return new Authenticator(enrolled.as(TotpEnrolment.class).secret());
    }

    final Reply confirm(String token, String code) {
        return app().post(TOTP + ":confirm", token, "{\"code\": \"" + code + "\"}");
    }

    final Reply remove(String token, String password, String code) {
        return app().send("DELETE", TOTP, token, """
                {"password": "%s", "code": "%s"}""".formatted(password, code));
    }

    final Reply renew(String token, String password, String code) {
        return app().post(TOTP + ":renewRecoveryCodes", token, """
                {"password": "%s", "code": "%s"}""".formatted(password, code));
    }

    final Reply signIn(String email, @Nullable String code) {
        return code == null
                ? app().signIn(email, TestApp.PASSWORD)
                : app().post("/v1/sessions", null, """
                        {"email": "%s", "password": "%s", "totp": "%s"}""".formatted(email, TestApp.PASSWORD, code));
    }

    /// The body, with `CODE` or `RECOVERY` in it replaced by a good one for the caller, who has no authenticator
    /// yet.
    public static String withCodes(TestApp app, @Nullable String secret, Instant now, String body) {
        if (!body.contains("\"CODE\"") && !body.contains("\"RECOVERY\"")) {
            return body;
        }
        var enrolled = app.post(TOTP, secret, BODY);
        String code = new Authenticator(enrolled.as(TotpEnrolment.class).secret()).code(now);
        if (body.contains("\"CODE\"")) {
            return body.replace("CODE", code);
        }
        var confirmed = app.post(TOTP + ":confirm", secret, "{\"code\": \"" + code + "\"}")
                .as(RecoveryCodes.class);
        return body.replace("RECOVERY", confirmed.recoveryCodes().getFirst());
    }

    final User account(String email) {
        return app().get("/v1/admin/users/" + email, app().admin()).as(User.class);
    }

    /// Problem code and status.
    static String told(Reply reply) {
        return reply.refusal();
    }
}
