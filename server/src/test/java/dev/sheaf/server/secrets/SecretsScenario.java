package dev.sheaf.server.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.account.RecoveryCodes;
import dev.sheaf.server.identity.api.OidcSignInTest;
import dev.sheaf.server.identity.api.TotpScenario;
import dev.sheaf.server.identity.api.oauth.TrustedPublishingScenario;
import dev.sheaf.server.testing.Authenticator;
import dev.sheaf.server.testing.OAuthScenario;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.TestApp;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Makes secrets of every kind at a server, and has them accepted and refused wherever somebody could put one.
final class SecretsScenario {
    static final String WRONG = "another password for tests";
    static final String CLIENT = "a-secret-of-the-client";

    private static final String DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
    private static final String PERSON = "one@acme.test";
    private static final String KEYS = "/v1/organizations/default/api-keys";
    private static final Pattern TICKET = Pattern.compile("name=\"ticket\" value=\"([^\"]+)\"");

    private final Map<SecretKind, List<String>> made = new EnumMap<>(SecretKind.class);
    private final List<String> answers = new ArrayList<>();
    private final Requests requests;
    private final String url;
    private final String admin;

    /// @param url of the server, which id_tokens name
    SecretsScenario(Requests requests, String url, String admin) {
        this.requests = requests;
        this.url = url;
        this.admin = admin;
    }

    /// What the server is given outside of requests, with the issuers of the id_tokens that it is sent.
    static Map<String, String> environment(String url) {
        return Map.of(
                "SHEAF_OIDC_ISSUER",
                TrustedPublishingScenario.issuer("people"),
                "SHEAF_OIDC_CLIENT_ID",
                "sheaf",
                "SHEAF_OIDC_CLIENT_SECRET",
                CLIENT,
                "SHEAF_OIDC_AUTO_PROVISION",
                "true",
                "SHEAF_PUBLIC_URL",
                url,
                "SHEAF_WEBHOOK_HTTP",
                "true",
                "SHEAF_WEBHOOK_PRIVATE_ADDRESSES",
                "true",
                "SHEAF_TRUSTED_ISSUERS",
                TrustedPublishingScenario.issuer("github"));
    }

    /// Does all of it.
    ///
    /// @param master the master key, which it only adds
    /// @return the secrets by their kinds
    Map<SecretKind, List<String>> run(String master) {
        add(SecretKind.MASTER_KEY, master);
        add(SecretKind.API_KEY, admin);
        add(SecretKind.CLIENT_SECRET, CLIENT, base64("sheaf:" + CLIENT));
        add(SecretKind.PASSWORD, TestApp.PASSWORD, WRONG);
        useKeys();
        useTokens();
        useTickets();
        useSession();
        made.putAll(new SecretsOfPages(requests, answers).run(PERSON, TestApp.PASSWORD, WRONG));
        useDevice(useAuthenticator());
        useProvider();
        useCodePage();
        useRun();
        add(
                SecretKind.WEBHOOK_SECRET,
                new SecretsOfWebhooks(requests, admin, answers).run().toArray(String[]::new));
        var scanners = new SecretsOfScanners(requests, admin, answers).run();
        add(SecretKind.SCANNER_SECRET, scanners.secret());
        add(SecretKind.SCAN_TOKEN, scanners.token());
        answers.add(requests.get("/v1/admin/audit-log?limit=100", admin).text());
        answers.add(requests.get("/v1/admin/stats", admin).text());
        return made;
    }

    /// What refusals said, and what the log of changes says in the end.
    List<String> answers() {
        return answers;
    }

    private void add(SecretKind kind, String... secrets) {
        made.computeIfAbsent(kind, all -> new ArrayList<>()).addAll(List.of(secrets));
    }

    // --- keys ---

    private void useKeys() {
        var created = requests.post(KEYS, admin, "{\"name\": \"one more\", \"scopes\": [\"write\"]}");
        String key = text(created, "key");
        String id = text(created, "id");
        String basic = base64("user:" + key);
        String token = text(send("GET", "/v2/token?scope=repository:a/b:pull,push", "Basic " + basic, null), "token");
        String wrong = key.substring(0, key.length() - 1) + (key.endsWith("0") ? "1" : "0");
        for (String authorization : List.of("Bearer " + wrong, "Bearer " + token + "x", "Basic " + basic + "=", key)) {
            refused(send("GET", "/v2/", authorization, null));
            refused(send("POST", "/v1/namespaces/acme/bundles/kit:push", authorization, "{\"version\":"));
        }
        requests.form("/v2/token", null, "grant_type", "password", "username", "u", "password", key, "scope", "%zz");
        requests.form("/v2/token", null, "grant_type", key, "password", key); // told back to who sent it
        send("POST", "/v2/a/b/blobs/uploads/", "Bearer " + token, null);
        refused(requests.post(KEYS, key, "{\"name\": \"" + key + "\"}"));
        refused(requests.send("PATCH", KEYS + "/" + id, admin, "{"));
        String rotated = text(requests.post(KEYS + "/" + id + ":rotate", admin, "{\"overlap\": \"PT1H\"}"), "key");
        requests.post("/v1/leaked-credentials", null, """
                {"credentials": ["%s", "%s"]}""".formatted(rotated, token));
        refused(requests.post("/v1/leaked-credentials", null, "{\"credentials\": \"" + wrong + "\"}"));
        add(SecretKind.API_KEY, key, wrong, rotated);
        add(SecretKind.BASIC, basic);
        add(SecretKind.REGISTRY_TOKEN, token);
    }

    private void useTokens() {
        String exchanged = exchange(admin, OAuthScenario.API_KEY);
        String again = exchange(exchanged, OAuthScenario.ACCESS_TOKEN);
        requests.form("/v1/oauth/revoke", null, "token", again);
        requests.form("/v1/oauth/introspect", admin, "token", exchanged);
        add(SecretKind.ACCESS_TOKEN, exchanged, again);
    }

    // --- people ---

    private void useTickets() {
        String ticket =
                text(requests.post("/v1/admin/users", admin, "{\"email\": \"" + PERSON + "\"}"), "passwordToken");
        for (String password : List.of("short", TestApp.PASSWORD, WRONG)) { // too short, taken, a ticket that is used
            answers.add(requests.post("/v1/users:setPassword", null, """
                    {"token": "%s", "password": "%s"}""".formatted(ticket, password))
                    .text());
        }
        String invitation = text(requests.post("/v1/organizations/default/invitations", admin, """
                {"email": "two@acme.test", "role": "admin"}"""), "token");
        for (int i = 0; i < 2; i++) {
            answers.add(requests.post("/v1/invitations:accept", null, """
                    {"token": "%s", "password": "%s"}""".formatted(invitation, WRONG))
                    .text());
        }
        add(SecretKind.PASSWORD_TICKET, ticket);
        add(SecretKind.INVITATION, invitation);
    }

    private void useSession() {
        refused(signIn(WRONG, null));
        var session = signIn(TestApp.PASSWORD, null);
        String access = text(session, "accessToken");
        String first = cookie(session, "sheaf_refresh");
        String second = cookie(refresh(first), "sheaf_refresh");
        refused(refresh(first + "x"));
        refused(requests.post("/v1/users/me:changePassword", access, """
                {"currentPassword": "%s", "newPassword": "%s"}""".formatted(WRONG, WRONG)));
        requests.get("/v1/organizations/default/members", access);
        add(SecretKind.SIGNED_IN_TOKEN, access, exchange(access, OAuthScenario.ACCESS_TOKEN));
        add(SecretKind.REFRESH_TOKEN, value(first), value(second));
    }

    private Reply signIn(String password, @Nullable String code) {
        return requests.post("/v1/sessions", null, """
                {"email": "%s", "password": "%s"%s}""".formatted(
                        PERSON, password, code == null ? "" : ", \"totp\": \"" + code + "\""));
    }

    private Reply refresh(String cookie) {
        return requests.send(requests.request("POST", "/v1/sessions/current:refresh", null, null)
                .header("Cookie", cookie));
    }

    /// A recovery code that is still good.
    private String useAuthenticator() {
        String access = text(signIn(TestApp.PASSWORD, null), "accessToken");
        String seed = text(requests.post(TotpScenario.TOTP, access, TotpScenario.BODY), "secret");
        var authenticator = new Authenticator(seed);
        refused(requests.post(TotpScenario.TOTP + ":confirm", access, "{\"code\": \"" + seed + "\"}"));
        var codes = requests.post(
                        TotpScenario.TOTP + ":confirm", access, """
                {"code": "%s"}""".formatted(authenticator.code(Instant.now())))
                .json()
                .get("recoveryCodes");
        String used = codes.get(0).stringValue();
        String wrong = codes.get(1).stringValue().replaceFirst("....$", "aaaa");
        signIn(TestApp.PASSWORD, used);
        for (String bad : List.of(used, wrong, seed)) {
            refused(signIn(TestApp.PASSWORD, bad));
            refused(requests.send("DELETE", TotpScenario.TOTP, access, """
                    {"password": "%s", "code": "%s"}""".formatted(TestApp.PASSWORD, bad)));
        }
        add(SecretKind.TOTP_SEED, seed, seed.toLowerCase(Locale.ROOT));
        codes.forEach(code -> add(
                SecretKind.RECOVERY_CODE, code.stringValue(), code.stringValue().replace("-", "")));
        return codes.get(2).stringValue();
    }

    private void useDevice(String recoveryCode) {
        var begun = requests.form("/v1/oauth/device_authorization", null, "client_id", "x", "scope", "read");
        String device = text(begun, "device_code");
        String user = text(begun, "user_code");
        requests.get("/device?user_code=" + user, null);
        refused(requests.get("/device?user_code=" + user + "X", null));
        refused(requests.form("/device", null, "user_code", user, "email", PERSON, "password", WRONG));
        var page = requests.form(
                "/device",
                null,
                "user_code",
                user,
                "email",
                PERSON,
                "password",
                TestApp.PASSWORD,
                "totp",
                recoveryCode);
        String ticket = found(TICKET, page);
        for (String one : List.of(ticket + "x", ticket)) {
            requests.form(
                    "/device/decision",
                    null,
                    "user_code",
                    user,
                    "ticket",
                    one,
                    "decision",
                    one.equals(ticket) ? "deny" : "none");
        }
        refused(requests.form("/v1/oauth/token", null, "grant_type", DEVICE, "device_code", device + "x"));
        refused(requests.form("/v1/oauth/token", null, "grant_type", DEVICE, "device_code", device)); // it was denied
        add(SecretKind.DEVICE_CODE, device);
        add(SecretKind.USER_CODE, user, user.replace("-", ""), user.toLowerCase(Locale.ROOT));
        add(SecretKind.DEVICE_TICKET, ticket);
    }

    // --- those that others vouch for ---

    /// Somebody lets a device in who signs in by a provider: there, back, and back once more.
    private void useProvider() {
        OidcSignInTest.provider(TrustedPublishingScenario.PROVIDER, "people", "three", "sheaf", "three@acme.test");
        var begun = requests.form("/v1/oauth/device_authorization", null, "client_id", "y", "scope", "read");
        String user = text(begun, "user_code");
        var there = requests.get("/v1/sign-in/oidc?redirect=%2Fdevice%3Fuser_code%3D" + user, null);
        String cookie = cookie(there, "sheaf_sign_in");
        String[] kept = new String(Base64.getUrlDecoder().decode(value(cookie).split("\\.")[0]), StandardCharsets.UTF_8)
                .split("\n");
        URI back = OidcSignInTest.at(there.header("Location"));
        String path = back.getRawPath() + "?" + back.getRawQuery();
        refused(withCookie(path.replace("state=", "state=x"), cookie));
        refused(withCookie(path, cookie + "x"));
        var in = withCookie(path, cookie);
        assertThat(in.status()).as(in.text()).isEqualTo(302);
        String ticket = cookie(in, "sheaf_device");
        withCookie(in.header("Location"), ticket);
        withCookie(in.header("Location"), ticket + "x");
        answers.add(withCookie(path, cookie).text()); // the code was used
        add(SecretKind.USER_CODE, user);
        add(SecretKind.DEVICE_TICKET, value(ticket));
        add(SecretKind.STATE, kept[1]);
        add(SecretKind.NONCE, kept[2]);
        add(SecretKind.VERIFIER, kept[3]);
        add(SecretKind.SIGN_IN_COOKIE, value(cookie), value(cookie).split("\\.")[1]);
        add(SecretKind.AUTHORIZATION_CODE, parameter(back, "code"));
    }

    /// Somebody whom the provider knows and who takes codes too.
    private void useCodePage() {
        String access = text(refresh(cookie(byProvider(), "sheaf_refresh")), "accessToken");
        String seed = text(requests.post(TotpScenario.TOTP, access, "{}"), "secret");
        String code = new Authenticator(seed).code(Instant.now());
        String recovery = requests.post(TotpScenario.TOTP + ":confirm", access, "{\"code\": \"" + code + "\"}")
                .as(RecoveryCodes.class)
                .recoveryCodes()
                .getFirst();
        String cookie = cookie(byProvider(), "sheaf_sign_in_code");
        withCookie("/sign-in", cookie);
        for (String one : List.of(seed, recovery, recovery)) {
            var reply = requests.send(requests.request("POST", "/sign-in", null, "totp=" + one)
                    .setHeader("Content-Type", "application/x-www-form-urlencoded")
                    .header("Cookie", cookie));
            answers.add(reply.text());
        }
        add(SecretKind.TOTP_SEED, seed);
        add(SecretKind.RECOVERY_CODE, recovery);
        add(SecretKind.CODE_COOKIE, value(cookie), value(cookie).split("\\.")[1]);
    }

    private Reply byProvider() {
        OidcSignInTest.provider(TrustedPublishingScenario.PROVIDER, "people", "four", "sheaf", "four@acme.test");
        var there = requests.get("/v1/sign-in/oidc", null);
        URI back = OidcSignInTest.at(there.header("Location"));
        return withCookie(back.getRawPath() + "?" + back.getRawQuery(), cookie(there, "sheaf_sign_in"));
    }

    private Reply withCookie(String path, String cookie) {
        return requests.send(requests.request("GET", path, null, null).header("Cookie", cookie));
    }

    private void useRun() {
        String idToken = TrustedPublishingScenario.idToken(
                "github", List.of(url), TrustedPublishingScenario.github("acme/secret"), 300);
        requests.post(
                TrustedPublishingScenario.PUBLISHERS, admin, """
                {"provider": "github", "issuer": "%s", "repository": "acme/secret", "bundles": ["acme/kit"]}""".formatted(TrustedPublishingScenario.issuer("github")));
        String run = exchange(idToken, TrustedPublishingScenario.ID_TOKEN);
        for (String bad : List.of(idToken, idToken + "x")) { // it was used; it is not signed like this
            refused(requests.form(
                    "/v1/oauth/token",
                    null,
                    "grant_type",
                    OAuthScenario.EXCHANGE,
                    "subject_token",
                    bad,
                    "subject_token_type",
                    TrustedPublishingScenario.ID_TOKEN));
        }
        add(SecretKind.ID_TOKEN, idToken);
        add(SecretKind.RUN_TOKEN, run);
    }

    // --- words ---

    private Reply send(String method, String path, String authorization, @Nullable String json) {
        return requests.send(requests.request(method, path, null, json).header("Authorization", authorization));
    }

    private void refused(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isBetween(400, 499);
        answers.add(reply.text());
    }

    private String exchange(String subject, String type) {
        return text(
                requests.form(
                        "/v1/oauth/token",
                        null,
                        "grant_type",
                        OAuthScenario.EXCHANGE,
                        "subject_token",
                        subject,
                        "subject_token_type",
                        type),
                "access_token");
    }

    private static String text(Reply reply, String member) {
        assertThat(reply.status()).as(reply.text()).isIn(200, 201);
        return reply.json().get(member).stringValue();
    }

    private static String found(Pattern pattern, Reply page) {
        var matcher = pattern.matcher(page.text());
        assertThat(matcher.find()).as(page.text()).isTrue();
        return matcher.group(1);
    }

    private static String cookie(Reply reply, String name) {
        return OidcSignInTest.cookie(reply, name);
    }

    private static String value(String cookie) {
        return cookie.substring(cookie.indexOf('=') + 1);
    }

    private static String parameter(URI place, String name) {
        return place.getRawQuery().replaceAll("(?:.*&)?" + name + "=([^&]*).*", "$1");
    }

    private static String base64(String pair) {
        return Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }
}
