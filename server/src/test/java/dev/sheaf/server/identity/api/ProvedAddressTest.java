package dev.sheaf.server.identity.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.SignedIn;
import dev.sheaf.model.wire.account.TotpEnrolment;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.org.Invitation;
import dev.sheaf.server.testing.Authenticator;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import org.junit.jupiter.api.Test;

/// Whoever invites has the token, and may accept in somebody else's name. What they set up so ends when the owner of
/// the address proves that it is theirs.
class ProvedAddressTest extends OnEveryStack {
    private static final MockOAuth2Server PROVIDER = started(); // ends with the JVM
    private static final String BEGIN = "/v1/sign-in/oidc";
    private static final String MINE = "a password of mine";

    private static MockOAuth2Server started() {
        var server = new MockOAuth2Server();
        server.start();
        return server;
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "oidc-issuer",
                PROVIDER.issuerUrl("people").toString(),
                "oidc-client-id",
                "sheaf",
                "oidc-client-secret",
                "a secret of the client",
                "oidc-auto-provision",
                "true",
                "oidc-link-by-email",
                "true");
    }

    private Reply signInByProvider(String subject, String email) {
        OidcSignInTest.provider(PROVIDER, "people", subject, "sheaf", email);
        var begun = app().get(BEGIN + "?redirect=/hub", null);
        var back = OidcSignInTest.at(begun.header("Location"));
        return app().send(app().request("GET", back.getRawPath() + "?" + back.getRawQuery(), null, null)
                .header("Cookie", OidcSignInTest.cookie(begun, "sheaf_sign_in")));
    }

    private String invited(String email) {
        var invitation = app().post("/v1/organizations/default/invitations", app().admin(), """
                {"email": "%s", "role": "reader"}""".formatted(email));
        assertThat(invitation.status()).as(invitation.text()).isEqualTo(201);
        return requireNonNull(invitation.as(Invitation.class).token());
    }

    private Reply accept(String token, String password) {
        return app().post("/v1/invitations:accept", null, """
                {"token": "%s", "password": "%s"}""".formatted(token, password));
    }

    private String session(String email, String password) {
        var in = app().signIn(email, password);
        assertThat(in.status()).as(in.text()).isEqualTo(200);
        return in.as(SignedIn.class).accessToken();
    }

    private void enrol(String token) {
        String seed = app().post("/v1/users/me/totp", token, "{\"password\": \"" + MINE + "\"}")
                .as(TotpEnrolment.class)
                .secret();
        var confirmed =
                app().post("/v1/users/me/totp:confirm", token, """
                {"code": "%s"}""".formatted(new Authenticator(seed).code(instant())));
        assertThat(confirmed.status()).as(confirmed.text()).isEqualTo(200);
    }

    @Test
    void whatSomebodyElseSetUpEndsWhenTheOwnerOfTheAddressComes() {
        accept(invited("ceo@big.test"), MINE);
        String token = session("ceo@big.test", MINE);
        enrol(token);

        var in = signInByProvider("ceo", "ceo@big.test");

        assertThat(in.header("Location"))
                .as("no code of the stranger's authenticator")
                .isEqualTo("/hub");
        assertThat(app().signIn("ceo@big.test", MINE).status()).isEqualTo(401);
        assertThat(app().get("/v1/users/me", token).status())
                .as("the stranger's session")
                .isEqualTo(401);
        var user = app().get("/v1/admin/users/ceo@big.test", app().admin()).as(User.class);
        assertThat(user.totpEnabled()).isFalse();
        var proved =
                app().get("/v1/organizations/default/audit-log?limit=100&action=user.prove_address", app().admin());
        assertThat(proved.text()).contains("ceo@big.test");
    }

    /// What is set up after the proof is the owner's, and so is what an administrator made.
    @Test
    void whatIsProvedStays() {
        signInByProvider("first", "first@big.test");
        signInByProvider("first", "first@big.test");
        app().person("made@big.test", "default", "reader");

        signInByProvider("made", "made@big.test");

        assertThat(app().signIn("made@big.test", TestApp.PASSWORD).status()).isEqualTo(200);
        var proved =
                app().get("/v1/organizations/default/audit-log?limit=100&action=user.prove_address", app().admin());
        assertThat(proved.text()).doesNotContain("made@big.test", "first@big.test");
    }

    @Test
    void acceptingDoesNotTellWhetherThereIsAnAccount() {
        app().person("there@big.test", null, null);

        var there = accept(invited("there@big.test"), MINE);
        var missing = accept(invited("missing@big.test"), MINE);

        assertThat(there.status()).isEqualTo(200);
        assertThat(shown(there)).isEqualTo(shown(missing).replace("missing@", "there@"));
        assertThat(app().signIn("there@big.test", MINE).status()).isEqualTo(401);
        assertThat(app().signIn("there@big.test", TestApp.PASSWORD).status())
                .as("nothing changed")
                .isEqualTo(200);
        assertThat(app().signIn("missing@big.test", MINE).status()).isEqualTo(200);
    }

    /// The body, and the names of the headers.
    private static String shown(Reply reply) {
        var names = new LinkedHashMap<>(reply.response().headers().map()).keySet();
        return reply.text() + List.copyOf(names);
    }
}
