package dev.sheaf.server.identity.api.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.SessionView;
import dev.sheaf.server.identity.api.TotpScenario;
import dev.sheaf.server.testing.Authenticator;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.OAuthScenario;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.Together;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Devices whose person signs in elsewhere (RFC 8628), and the sessions that they get.
class DeviceGrantTest extends OAuthScenario {
    private static final String DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
    private static final Pattern TICKET = Pattern.compile("name=\"ticket\" value=\"([^\"]+)\"");
    private static final Pattern ORGANIZATION = Pattern.compile("<option value=\"([^\"]+)\"");

    private JsonNode begin(String client, String scope) {
        var reply = app().form("/v1/oauth/device_authorization", null, "client_id", client, "scope", scope);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        return reply.json();
    }

    private Reply poll(JsonNode device) {
        return app().form("/v1/oauth/token", null, "grant_type", DEVICE, "device_code", text(device, "device_code"));
    }

    private static String text(JsonNode node, String name) {
        return node.get(name).stringValue();
    }

    private Reply signIn(JsonNode device, String email, String password) {
        return app().form(
                        "/device", null, "user_code", text(device, "user_code"), "email", email, "password", password);
    }

    private Reply decide(JsonNode device, Reply page, String decision) {
        return app().form(
                        "/device/decision",
                        null,
                        "user_code",
                        text(device, "user_code"),
                        "ticket",
                        found(TICKET, page),
                        "organization",
                        found(ORGANIZATION, page),
                        "decision",
                        decision);
    }

    private static String found(Pattern pattern, Reply page) {
        var matcher = pattern.matcher(page.text());
        assertThat(matcher.find()).as(page.text()).isTrue();
        return matcher.group(1);
    }

    private static void assertHarmless(Reply page) {
        assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'", "frame-ancestors 'none'");
        assertThat(page.header("Content-Security-Policy"))
                .contains("script-src 'self'")
                .doesNotContain("unsafe");
        assertThat(page.header("Cache-Control")).contains("no-store");
        assertThat(page.text()).doesNotContain("<script>");
    }

    @Test
    void aDeviceGetsASessionOnceSomebodyAllowsIt() {
        String person = app().person("device@acme.test", "default", "publisher");
        app().push("unit/kit", "1.0.0", "private", "kit");
        var device = begin("sheaf <script>", "write");
        assertThat(text(device, "user_code")).matches("[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}");
        assertThat(device.get("interval").intValue()).isEqualTo(5);
        assertRefused(poll(device), 400, "authorization_pending");
        assertRefused(poll(device), 400, "slow_down", "10");

        String place =
                text(device, "verification_uri_complete").substring(app().url().length());
        var asked = app().get(place.toLowerCase(Locale.ROOT), null);
        assertThat(asked.text()).contains("sheaf &lt;script&gt;", "127.0.0.1", "write", text(device, "user_code"));
        assertHarmless(asked);
        assertThat(signIn(device, "device@acme.test", "wrong password").status())
                .isEqualTo(401);
        var page = signIn(device, "device@acme.test", TestApp.PASSWORD);
        assertThat(page.status()).as(page.text()).isEqualTo(200);
        assertHarmless(page);
        assertRefused(poll(device), 400, "slow_down");
        var decided = decide(device, page, "approve");
        assertThat(decided.status()).as(decided.text()).isEqualTo(200);
        pass(Duration.ofMinutes(1));
        var got = poll(device);

        assertThat(got.status()).as(got.text()).isEqualTo(200);
        assertThat(text(got.json(), "scope")).isEqualTo("write");
        String token = text(got.json(), "access_token");
        assertThat(app().get("/v1/sessions", person)
                        .list(SessionView.class)
                        .getFirst()
                        .method())
                .isEqualTo("device");
        assertThat(app().get("/v1/namespaces/unit/bundles/kit:resolve", token).status())
                .isEqualTo(200);
        assertThat(app().post("/v1/organizations/default/api-keys", token, "{\"name\": \"x\"}")
                        .status())
                .isEqualTo(403);
        String bought = text(
                app().get("/v2/token?scope=repository:unit/kit:pull", token).json(), "token");
        assertThat(app().get("/v2/unit/kit/manifests/1.0.0", bought).status()).isEqualTo(200);
        assertRefused(poll(device), 400, "invalid_grant");
        refreshes(text(got.json(), "refresh_token"));
    }

    private void refreshes(String first) {
        var next = app().form("/v1/oauth/token", null, "grant_type", "refresh_token", "refresh_token", first);
        assertThat(next.status()).as(next.text()).isEqualTo(200);
        assertThat(text(next.json(), "scope")).isEqualTo("write");
        String token = text(next.json(), "access_token");
        String refresh = text(next.json(), "refresh_token");
        assertThat(app().get("/v1/namespaces/unit/bundles/kit:resolve", token).status())
                .isEqualTo(200);

        app().form("/v1/oauth/revoke", null, "token", refresh);

        assertThat(app().get("/v1/namespaces/unit/bundles/kit:resolve", token).status())
                .isEqualTo(401);
        assertRefused(
                app().form("/v1/oauth/token", null, "grant_type", "refresh_token", "refresh_token", refresh),
                400,
                "invalid_grant",
                "ended");
    }

    @Test
    void aDeviceThatIsDeniedOrForgottenGetsNothing() {
        app().person("denies@acme.test", "default", "reader");
        var denied = begin("sheaf", "read");
        decide(denied, signIn(denied, "denies@acme.test", TestApp.PASSWORD), "deny");
        assertRefused(poll(denied), 400, "access_denied");
        var late = begin("sheaf", "read");
        var page = signIn(late, "denies@acme.test", TestApp.PASSWORD);
        pass(Duration.ofMinutes(11));
        assertThat(decide(late, page, "approve").status()).isEqualTo(401);
        assertRefused(poll(late), 400, "expired_token");
        assertRefused(
                app().form("/v1/oauth/token", null, "grant_type", DEVICE, "device_code", "shd_none"),
                400,
                "invalid_grant");
        assertRefused(
                app().form("/v1/oauth/device_authorization", null, "client_id", "x".repeat(61)),
                400,
                "invalid_request");
        assertRefused(
                app().form("/v1/oauth/device_authorization", null, "client_id", "x", "scope", "root"),
                400,
                "invalid_scope");
    }

    /// Else who knew the old password would still come in, by a device that has yet to ask.
    @Test
    void whatWasAllowedEndsWithThePasswordAndTheAccount() {
        String person = app().person("regrets@acme.test", "default", "reader");
        var allowed = begin("sheaf", "read");
        decide(allowed, signIn(allowed, "regrets@acme.test", TestApp.PASSWORD), "approve");
        var asked = begin("sheaf", "read");
        var page = signIn(asked, "regrets@acme.test", TestApp.PASSWORD);
        assertThat(app().post(
                                "/v1/users/me:changePassword",
                                person,
                                "{\"currentPassword\": \"" + TestApp.PASSWORD
                                        + "\", \"newPassword\": \"four other words now\"}")
                        .status())
                .isEqualTo(204);

        assertRefused(poll(allowed), 400, "invalid_grant");
        assertThat(decide(asked, page, "approve").status()).isEqualTo(401);

        var last = begin("sheaf", "read");
        decide(last, signIn(last, "regrets@acme.test", "four other words now"), "approve");
        for (String verb : List.of(":disable", ":enable")) {
            app().post("/v1/admin/users/regrets@acme.test" + verb, app().admin(), "{}");
        }
        assertRefused(poll(last), 400, "invalid_grant");
    }

    @Test
    void thePageAsksForTheCodeOfAnAuthenticatorToo() {
        String token = app().person("factor@acme.test", "default", "reader");
        var enrolled = app().post(TotpScenario.TOTP, token, TotpScenario.BODY);
        var authenticator = new Authenticator(enrolled.json().get("secret").stringValue());
        app().post("/v1/users/me/totp:confirm", token, "{\"code\": \"" + authenticator.code(instant()) + "\"}");
        var device = begin("sheaf", "read");
        assertThat(app().get("/device?user_code=" + text(device, "user_code"), null)
                        .text())
                .contains("name=\"totp\"");

        var without = signIn(device, "factor@acme.test", TestApp.PASSWORD);
        pass(Authenticator.STEP);
        var with = app().form(
                        "/device",
                        null,
                        "user_code",
                        text(device, "user_code"),
                        "email",
                        "factor@acme.test",
                        "password",
                        TestApp.PASSWORD,
                        "totp",
                        authenticator.code(instant()));

        assertThat(without.status()).isEqualTo(401);
        assertThat(without.text()).contains("also needs a code").doesNotContain("name=\"ticket\"");
        assertHarmless(without);
        assertThat(decide(device, with, "approve").status()).isEqualTo(200);
    }

    /// Any site can lead a browser to the page, so an open session alone neither decides nor voids a ticket.
    @Test
    void whoIsSignedInSignsInAgain() {
        app().person("open@acme.test", "default", "owner");
        try (var browser = new Browser()) {
            browser.signIn(app().url(), "open@acme.test", TestApp.PASSWORD);
            for (String scope : List.of("read", "admin")) {
                var device = begin("sheaf", scope);
                var elsewhere = signIn(device, "open@acme.test", TestApp.PASSWORD);

                var asked = browser.open(text(device, "verification_uri_complete"));

                assertThat(asked.html())
                        .contains("name=\"password\"", "value=\"open@acme.test\"", "You are signed in.")
                        .doesNotContain("name=\"ticket\"");
                assertThat(decide(device, elsewhere, "deny").status()).isEqualTo(200);
            }
            var device = begin("sheaf", "admin");
            var asked = browser.open(text(device, "verification_uri_complete"));
            assertThat(browser.submit(asked, "/device", Map.of("password", "wrong password"))
                            .status())
                    .isEqualTo(401);

            var again = browser.submit(asked, "/device", Map.of("password", TestApp.PASSWORD));

            assertThat(again.html()).contains("name=\"ticket\"", "open@acme.test");
            assertThat(browser.open(app().url() + "/account").status()).isEqualTo(200);
        }
    }

    @Test
    void onlyWhoSignedInLastDecides() {
        app().person("one@acme.test", "default", "reader");
        var device = begin("sheaf", "read");
        var first = signIn(device, "one@acme.test", TestApp.PASSWORD);
        var second = signIn(device, "one@acme.test", TestApp.PASSWORD);

        assertThat(app().get("/device?user_code=" + text(device, "user_code"), null)
                        .text())
                .as("no provider is configured")
                .contains("name=\"password\"")
                .doesNotContain("/v1/sign-in/oidc");
        assertThat(decide(device, first, "approve").status()).isEqualTo(401);
        var foreign = app().request("POST", "/device", null, "user_code=" + text(device, "user_code"))
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header("Origin", "https://evil.example");
        assertThat(app().send(foreign).status()).isEqualTo(403);
        assertThat(decide(device, second, "approve").status()).isEqualTo(200);
        for (String path : List.of("/device?user_code=BBBB-BBBB", "/device?user_code=%3Cb%3E")) {
            var unknown = app().get(path, null);
            assertThat(unknown.status()).isEqualTo(401);
            assertThat(unknown.header("Content-Type")).isEqualTo("application/problem+json");
        }
        assertThat(app().get("/device", null).text()).contains("name=\"user_code\"");
    }

    @Test
    void whoAsksOftenAtOnceGetsOneSession() throws Exception {
        String person = app().person("storm@acme.test", "default", "reader");
        var device = begin("sheaf", "read");
        decide(device, signIn(device, "storm@acme.test", TestApp.PASSWORD), "approve");
        pass(Duration.ofMinutes(1));

        var polls = Together.run(20, i -> () -> poll(device));

        assertThat(polls.stream().filter(reply -> reply.status() == 200)).hasSize(1);
        assertThat(polls.stream().filter(reply -> reply.status() != 200))
                .allSatisfy(reply -> assertRefused(reply, 400, "invalid_grant"));
        pass(Duration.ofMinutes(1));
        assertRefused(poll(device), 400, "invalid_grant");
        assertThat(app().get("/v1/sessions", person).text())
                .containsOnlyOnce("\"method\":\"device\"")
                .containsOnlyOnce("\"method\":\"password\"");
    }

    @Test
    void whatIsDecidedStaysDecided() {
        app().person("decides@acme.test", "default", "reader");
        var first = begin("sheaf", "read");
        var other = begin("sheaf", "read");
        var page = signIn(first, "decides@acme.test", TestApp.PASSWORD);
        assertThat(decide(other, page, "approve").status())
                .as("a ticket for another device")
                .isEqualTo(401);
        assertThat(decide(first, page, "approve").status()).isEqualTo(200);

        assertThat(decide(first, page, "deny").status()).isEqualTo(401);
        assertThat(decide(first, page, "approve").status()).isEqualTo(401);
        assertThat(signIn(first, "decides@acme.test", TestApp.PASSWORD).status())
                .isEqualTo(401);
        pass(Duration.ofMinutes(1));
        assertThat(poll(first).status()).isEqualTo(200);
        assertRefused(poll(other), 400, "authorization_pending");
    }

    /// Or one client could keep all others from signing in.
    @Test
    void oneNetworkHasAHundredDevicesThatWait() {
        for (int i = 0; i < 100; i++) {
            assertThat(beginAt("2001:db8:7:8::" + Integer.toHexString(i)).status())
                    .isEqualTo(200);
            assertThat(beginAt("198.51.100.70").status()).isEqualTo(200);
        }

        var refused = beginAt("2001:db8:7:8:9:a:b:c");

        assertThat(refused.status()).as(refused.text()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEqualTo("600");
        assertThat(text(refused.json(), "throttle")).isEqualTo("rate");
        assertThat(beginAt("2001:db8:7:9::1").status()).isEqualTo(200);
        assertThat(beginAt("198.51.100.70").status()).isEqualTo(429);
        assertThat(beginAt("198.51.100.7").status())
                .as("which only begins like it")
                .isEqualTo(200);
        pass(Duration.ofMinutes(10));
        assertThat(beginAt("2001:db8:7:8::1").status()).isEqualTo(200);
    }

    /// Those of many addresses that were asked for and forgotten make room; those that wait stay.
    @Test
    void codesThatNobodyAsksForLockNobodyOut() {
        var waits = begin("cli", "write");
        app().database().write(tx -> tx.change("""
                                WITH RECURSIVE one(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM one WHERE i < 9999)
                                INSERT INTO device_grant (device_hash, user_hash, client, scope, address, state, expires_at,
                                                          interval_seconds, polled_at)
                                SELECT 'd' || i, 'u' || i, 'flood', 'WRITE', 'a' || i, 'PENDING', :until, 5, :polled FROM one
                                """, "until", tx.now().plusSeconds(600), "polled", tx.now()));

        var refused = beginAt("198.51.100.1");
        pass(Duration.ofSeconds(61));
        poll(waits);
        var replaced = beginAt("198.51.100.1");

        assertThat(refused.status()).as(refused.text()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEqualTo("60");
        assertThat(replaced.status()).as(replaced.text()).isEqualTo(200);
        assertThat(text(poll(waits).json(), "error")).isEqualTo("slow_down");
        app().database().write(tx -> tx.change("DELETE FROM device_grant WHERE client = 'flood'"));
    }

    private Reply beginAt(String address) {
        return app().send(app().request("POST", "/v1/oauth/device_authorization", null, "client_id=x")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header("X-Forwarded-For", address));
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("trusted-proxies", "127.0.0.1");
    }
}
