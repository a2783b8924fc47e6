package dev.sheaf.server.identity.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.SessionView;
import dev.sheaf.model.wire.account.SignedIn;
import dev.sheaf.model.wire.account.TotpEnrolment;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.server.testing.Authenticator;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.token.DefaultOAuth2TokenCallback;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sign-in by an OpenID provider, which a server plays.
public class OidcSignInTest extends OnEveryStack {
    private static final MockOAuth2Server PROVIDER = started(); // ends with the JVM
    private static final long LONG = 86_400; // seconds; scenarios move the clock
    private static final String BEGIN = "/v1/sign-in/oidc";

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
                "oidc-domains",
                "acme.test other.test");
    }

    private static Map<String, Object> claims(String email) {
        return new LinkedHashMap<>(Map.of("email", email, "email_verified", true, "name", "Ada Lovelace"));
    }

    private static void provider(
            String issuer, String subject, String audience, Map<String, Object> claims, long seconds) {
        PROVIDER.enqueueCallback(
                new DefaultOAuth2TokenCallback(issuer, subject, "JWT", List.of(audience), claims, seconds));
    }

    /// Has a provider say who signs in next.
    public static void provider(MockOAuth2Server server, String issuer, String subject, String audience, String email) {
        server.enqueueCallback(
                new DefaultOAuth2TokenCallback(issuer, subject, "JWT", List.of(audience), claims(email), LONG));
    }

    /// What the provider leads back to.
    public static URI at(String provider) {
        try (var client = HttpClient.newHttpClient()) {
            var answer =
                    client.send(HttpRequest.newBuilder(URI.create(provider)).build(), BodyHandlers.discarding());
            return URI.create(answer.headers().firstValue("Location").orElseThrow());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String cookie(Reply reply, String name) {
        return reply.response().headers().allValues("Set-Cookie").stream()
                .filter(line -> line.startsWith(name + "="))
                .map(line -> line.substring(0, line.indexOf(';')))
                .findFirst()
                .orElseThrow();
    }

    private Reply callback(URI back, String cookie) {
        return app().send(app().request("GET", back.getRawPath() + "?" + back.getRawQuery(), null, null)
                .header("Cookie", cookie));
    }

    private Reply signIn() {
        var begun = app().get(BEGIN + "?redirect=/hub", null);
        return callback(at(begun.header("Location")), cookie(begun, "sheaf_sign_in"));
    }

    @Test
    void somebodyNewGetsAnAccountAndComesBackToIt() {
        provider("people", "ada", "sheaf", claims("Ada@acme.test"), LONG);
        var begun = app().get(BEGIN + "?redirect=/hub%3Fq=a", null);
        assertThat(begun.status()).isEqualTo(302);
        assertThat(begun.header("Location"))
                .contains("response_type=code", "client_id=sheaf", "code_challenge_method=S256", "nonce=nonce_");
        assertThat(begun.header("Set-Cookie")).contains("HttpOnly", "SameSite=Lax", "Path=/v1/sign-in/oidc");

        var ended = callback(at(begun.header("Location")), cookie(begun, "sheaf_sign_in"));

        assertThat(ended.status()).as(ended.text()).isEqualTo(302);
        assertThat(ended.header("Location")).isEqualTo("/hub?q=a");
        var refresh = app().request("POST", "/v1/sessions/current:refresh", null, null)
                .header("Cookie", cookie(ended, "sheaf_refresh"));
        String token = app().send(refresh).as(SignedIn.class).accessToken();
        var me = app().get("/v1/users/me", token).as(User.class);
        assertThat(me.email()).isEqualTo("ada@acme.test");
        assertThat(me.fullName()).isEqualTo("Ada Lovelace");
        assertThat(app().get("/v1/sessions", token)
                        .list(SessionView.class)
                        .getFirst()
                        .method())
                .isEqualTo("oidc");

        provider("people", "ada", "sheaf", claims("ada@other.test"), LONG);
        assertThat(signIn().status()).as("the subject counts, not the address").isEqualTo(302);
        assertThat(app().get("/v1/admin/users/ada@other.test", app().admin()).status())
                .isEqualTo(404);
        app().post("/v1/admin/users/ada@acme.test:disable", app().admin(), "{}");
        provider("people", "ada", "sheaf", claims("ada@acme.test"), LONG);
        assertThat(signIn().text()).contains("disabled");
    }

    @Test
    void whoLetsADeviceInMaySignInThere() {
        provider("people", "grace", "sheaf", claims("grace@acme.test"), LONG);
        var device = app().form("/v1/oauth/device_authorization", null, "client_id", "cli", "scope", "read")
                .json();
        String path = "/device?user_code=" + device.get("user_code").stringValue();
        String link = BEGIN + "?redirect=%2Fdevice%3Fuser_code%3D"
                + device.get("user_code").stringValue();
        assertThat(app().get(path, null).text()).contains("href=\"" + link + "\"");
        var begun = app().get(link, null);

        var ended = callback(at(begun.header("Location")), cookie(begun, "sheaf_sign_in"));

        assertThat(ended.header("Location")).isEqualTo(path);
        assertThat(ended.response().headers().allValues("Set-Cookie"))
                .as("no session: it was to decide about the device")
                .noneMatch(line -> line.startsWith("sheaf_refresh="))
                .anyMatch(line -> line.startsWith("sheaf_device=")
                        && line.contains("Path=/device; Max-Age=600; HttpOnly; SameSite=Lax"));
        String cookie = cookie(ended, "sheaf_device");
        assertThat(app().send(app().request("GET", path, null, null).header("Cookie", cookie))
                        .text())
                .contains("grace@acme.test", "name=\"ticket\"");
        for (String other : List.of("sheaf_device=sht_other", "sheaf_device=")) {
            assertThat(app().send(app().request("GET", path, null, null).header("Cookie", other))
                            .text())
                    .contains("name=\"password\"")
                    .doesNotContain("grace@acme.test");
        }
        pass(Duration.ofMinutes(11));
        assertThat(app().send(app().request("GET", path, null, null).header("Cookie", cookie))
                        .status())
                .isEqualTo(401);
    }

    /// Nobody would have it, and it would stand among the person's for days.
    @Test
    void aDeviceThatWaitsNoMoreLeavesNoSessionBehind() {
        provider("people", "slow", "sheaf", claims("slow@acme.test"), LONG);
        var device = app().form("/v1/oauth/device_authorization", null, "client_id", "cli", "scope", "read")
                .json();
        pass(Duration.ofMinutes(9));
        var begun = app().get(
                        BEGIN + "?redirect=%2Fdevice%3Fuser_code%3D"
                                + device.get("user_code").stringValue(),
                        null);
        pass(Duration.ofMinutes(2));

        var ended = callback(at(begun.header("Location")), cookie(begun, "sheaf_sign_in"));

        assertThat(ended.status()).as(ended.text()).isEqualTo(401);
        assertThat(app().database()
                        .<List<String>>read(tx ->
                                tx.handle().createQuery("""
                                        SELECT s.ended_because FROM session s JOIN account a ON a.id = s.account_id
                                        WHERE a.email = 'slow@acme.test'
                                        """).mapTo(String.class).list()))
                .containsExactly("it was to decide about a device");
    }

    /// Somebody whom the provider knows, with an authenticator here and no password.
    private Authenticator withAuthenticator(String name) {
        provider("people", name, "sheaf", claims(name + "@acme.test"), LONG);
        String token = refreshed(signIn());
        var authenticator = new Authenticator(app().post("/v1/users/me/totp", token, "{}")
                .as(TotpEnrolment.class)
                .secret());
        var confirmed =
                app().post("/v1/users/me/totp:confirm", token, "{\"code\": \"" + authenticator.code(instant()) + "\"}");
        assertThat(confirmed.status()).as(confirmed.text()).isEqualTo(200);
        pass(Authenticator.STEP);
        provider("people", name, "sheaf", claims(name + "@acme.test"), LONG);
        return authenticator;
    }

    private String refreshed(Reply signedIn) {
        var refresh = app().request("POST", "/v1/sessions/current:refresh", null, null)
                .header("Cookie", cookie(signedIn, "sheaf_refresh"));
        return app().send(refresh).as(SignedIn.class).accessToken();
    }

    private Reply give(String cookie, String code) {
        return app().send(app().request("POST", "/sign-in", null, "totp=" + code)
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header("Cookie", cookie));
    }

    @Test
    void whoTakesCodesIsAskedForOneBehindTheProvider() {
        var authenticator = withAuthenticator("coded");
        String code = authenticator.code(instant());

        var ended = signIn();

        assertThat(ended.header("Location")).isEqualTo("/sign-in");
        assertThat(ended.response().headers().allValues("Set-Cookie"))
                .noneMatch(line -> line.startsWith("sheaf_refresh="))
                .anyMatch(line -> line.startsWith("sheaf_sign_in_code=")
                        && line.contains("Path=/sign-in; Max-Age=600; HttpOnly; SameSite=Lax"));
        String cookie = cookie(ended, "sheaf_sign_in_code");
        var page = app().send(app().request("GET", "/sign-in", null, null).header("Cookie", cookie));
        assertThat(page.text()).contains("name=\"totp\"").doesNotContain("<script>");
        assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'");
        var wrong = give(cookie, authenticator.wrong(instant()));
        assertThat(wrong.status()).isEqualTo(401);
        assertThat(wrong.text()).contains("the code is wrong", "action=\"/sign-in\"");
        for (String bad : List.of("x=1", "sheaf_sign_in_code=", cookie + "0", cookie.replace("=", "=x"))) {
            assertThat(give(bad, code).status()).as(bad).isEqualTo(401);
        }
        var foreign = app().request("POST", "/sign-in", null, "totp=" + code)
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header("Cookie", cookie)
                .header("Origin", "https://evil.example");
        assertThat(app().send(foreign).status()).isEqualTo(403);
        var in = give(cookie, code);
        assertThat(in.status()).as(in.text()).isEqualTo(302);
        assertThat(in.header("Location")).isEqualTo("/hub");
        assertThat(app().get("/v1/users/me", refreshed(in)).status()).isEqualTo(200);
        assertThat(give(cookie, code).status()).as("a code is good once").isEqualTo(401);
        pass(Duration.ofMinutes(10));
        assertThat(give(cookie, authenticator.code(instant())).text()).contains("too long ago");
        assertThat(app().get("/sign-in", null).text()).contains("/v1/sign-in/oidc");
    }

    @Test
    void codesBehindTheProviderAreSlowedDownToo() {
        var authenticator = withAuthenticator("guessed");
        String cookie = cookie(signIn(), "sheaf_sign_in_code");
        for (int i = 0; i < 10; i++) {
            assertThat(give(cookie, authenticator.wrong(instant())).status()).isEqualTo(401);
        }

        var early = give(cookie, authenticator.code(instant()));

        assertThat(early.status()).as(early.text()).isEqualTo(429);
        assertThat(early.header("Set-Cookie")).isEmpty();
    }

    @Test
    void whoLetsADeviceInIsAskedForACodeBehindTheProviderToo() {
        var authenticator = withAuthenticator("lets-in");
        var device = app().form("/v1/oauth/device_authorization", null, "client_id", "cli", "scope", "read")
                .json();
        String path = "/device?user_code=" + device.get("user_code").stringValue();
        var begun = app().get(BEGIN + "?redirect=" + path.replace("?", "%3F").replace("=", "%3D"), null);
        var ended = callback(at(begun.header("Location")), cookie(begun, "sheaf_sign_in"));
        assertThat(ended.header("Location")).isEqualTo("/sign-in");
        assertThat(ended.response().headers().allValues("Set-Cookie"))
                .noneMatch(line -> line.startsWith("sheaf_device="));

        var in = give(cookie(ended, "sheaf_sign_in_code"), authenticator.code(instant()));

        assertThat(in.header("Location")).isEqualTo(path);
        assertThat(app().send(app().request("GET", path, null, null).header("Cookie", cookie(in, "sheaf_device")))
                        .text())
                .contains("lets-in@acme.test", "name=\"ticket\"");
    }

    /// Where its operator says that the provider asks everybody for a second factor.
    @Test
    void aProviderThatVouchesIsBelieved(@TempDir Path folder) {
        provider("people", "vouched", "sheaf", claims("vouched@acme.test"), LONG);
        var settings = new LinkedHashMap<>(settings());
        settings.put("oidc-skips-totp", "true");
        settings.put("oidc-name", "Acme <SSO>");
        try (var other = TestApp.start(folder, this::instant, settings)) {
            String seed = signedIn(other, null);
            assertThat(seed).isNotEmpty();
            provider("people", "vouched", "sheaf", claims("vouched@acme.test"), LONG);
            assertThat(signedIn(other, seed)).as("no code was asked for").isEqualTo(seed);
            var device = other.form("/v1/oauth/device_authorization", null, "client_id", "cli", "scope", "read")
                    .json();
            assertThat(other.get("/device?user_code=" + device.get("user_code").stringValue(), null)
                            .text())
                    .contains("Acme &lt;SSO&gt;");
        }
    }

    /// Signs in at another node, and enrols an authenticator where none is yet.
    private String signedIn(TestApp other, @Nullable String seed) {
        var begun = other.get(BEGIN, null);
        var back = at(begun.header("Location"));
        var in = other.send(other.request("GET", back.getRawPath() + "?" + back.getRawQuery(), null, null)
                .header("Cookie", cookie(begun, "sheaf_sign_in")));
        var refresh = other.request("POST", "/v1/sessions/current:refresh", null, null)
                .header("Cookie", cookie(in, "sheaf_refresh"));
        String token = other.send(refresh).as(SignedIn.class).accessToken();
        if (seed != null) {
            return seed;
        }
        String made = other.post("/v1/users/me/totp", token, "{}")
                .as(TotpEnrolment.class)
                .secret();
        String code = new Authenticator(made).code(instant());
        assertThat(other.post("/v1/users/me/totp:confirm", token, "{\"code\": \"" + code + "\"}")
                        .status())
                .isEqualTo(200);
        return made;
    }

    @Test
    void anAddressDoesNotFindAnAccountThatWasMadeOtherwise() {
        app().person("owner@acme.test", "default", "owner");
        provider("people", "thief", "sheaf", claims("owner@acme.test"), LONG);

        var refused = signIn();

        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.text()).contains("the account of this e-mail address does not accept");
        assertThat(refused.header("Set-Cookie")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"email_verified", "email", "domain"})
    void anAddressThatIsNotVerifiedOrNotOfOursIsRefused(String what) {
        var claims = claims("eve@" + (what.equals("domain") ? "evil.test" : "acme.test"));
        claims.remove(what);
        provider("people", "eve-" + what, "sheaf", claims, LONG);

        assertThat(signIn().status()).isEqualTo(401);

        assertThat(app().get("/v1/admin/users/eve@acme.test", app().admin()).status())
                .isEqualTo(404);
    }

    @Test
    void tokensOfOthersOrThatAreOverAreRefused() {
        var audience = claims("bob@acme.test");
        audience.put("aud", "another-client");
        provider("people", "bob", "sheaf", audience, LONG);
        assertThat(signIn().text()).contains("the claim aud");
        provider("people", "bob", "sheaf", claims("bob@acme.test"), -120);
        assertThat(signIn().text()).contains("the claim exp");
        var nonce = claims("bob@acme.test");
        nonce.put("nonce", "another");
        provider("people", "bob", "sheaf", nonce, LONG);
        assertThat(signIn().text()).contains("the claim nonce");
        var issuer = claims("bob@acme.test");
        issuer.put("iss", "https://evil.test");
        provider("people", "bob", "sheaf", issuer, LONG);
        assertThat(signIn().text()).contains("the claim iss");
    }

    @Test
    void onlyTheBrowserThatBeganCanEnd() {
        var begun = app().get(BEGIN, null);
        var other = app().get(BEGIN, null);
        String cookie = cookie(begun, "sheaf_sign_in");
        var back = at(begun.header("Location"));

        assertThat(callback(back, "x=1").status()).as("no cookie").isEqualTo(401);
        assertThat(callback(back, cookie(other, "sheaf_sign_in")).text()).contains("the state");
        for (String bad : List.of(cookie + "0", "sheaf_sign_in=", "sheaf_sign_in=a.b", "sheaf_sign_in=.")) {
            assertThat(callback(back, bad).status()).as(bad).isEqualTo(401);
        }
        assertThat(callback(URI.create(BEGIN + "/callback?state=x&error=access_denied"), cookie)
                        .text())
                .contains("access_denied");
        pass(Duration.ofMinutes(10));
        assertThat(callback(back, cookie).text()).contains("too long ago");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.test", "//evil.test", "/%5Cevil.test", "hub", "/a%0Ab", ""})
    void onlyPathsOfThisServiceAreGoneOnAt(String path) {
        assertThat(app().get(BEGIN + "?redirect=" + path, null).status()).isEqualTo(422);
    }
}
