package dev.sheaf.server.program;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.model.wire.org.CreatedOrganization;
import dev.sheaf.server.identity.api.OidcSignInTest;
import dev.sheaf.server.identity.api.TotpScenario;
import dev.sheaf.server.identity.api.oauth.TrustedPublishingScenario;
import dev.sheaf.server.testing.Authenticator;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OAuthScenario;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What expires does so on time, and not before, for the real program: it is stopped, and started again at another
/// time of day, which libfaketime gives it.
@Timeout(value = 4, unit = TimeUnit.MINUTES) // it starts a server for each point in time
@Tag("slow")
@Tag("programs")
class ExpiryTest {
    private static final Duration TOKENS = Duration.ofMinutes(15);
    private static final Duration CODES = Duration.ofMinutes(10);
    private static final Duration STEP = Duration.ofSeconds(90); // of an authenticator, with those before and behind
    private static final Duration DAYS = Duration.ofDays(3); // of a ticket for a password; the others are set to it
    private static final Duration LIFETIME = Duration.ofDays(5); // of a session that is used all the time
    private static final Duration BEFORE = Duration.ofMinutes(3);
    private static final Duration PATIENCE = Duration.ofSeconds(60); // while other work has the processors
    private static final String DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
    private static final String WORKS = " works";
    private static final String OVER = " is over";
    private static final String KEYS = "/v1/organizations/default/api-keys";

    @TempDir
    private Path folder;

    /// Something that works until its end.
    ///
    /// @param only when it is tried, where it changes by being used; empty: each time
    private record Credential(String name, Duration end, Set<Duration> only, Function<Requests, Reply> use) {
        boolean isTried(Duration later) {
            return only.isEmpty() || only.contains(later);
        }
    }

    private final List<Credential> made = new ArrayList<>();
    private Instant begun = Instant.now();
    private final int port = Ports.free();
    private final String url = "http://127.0.0.1:" + port; // which id_tokens name

    private static Optional<Path> library() throws IOException {
        try (var folders = Files.list(Path.of("/usr/lib"))) {
            return folders.map(entry -> entry.resolve("faketime/libfaketime.so.1"))
                    .filter(Files::exists)
                    .findFirst();
        } catch (NoSuchFileException e) {
            return Optional.empty(); // no Linux
        }
    }

    /// The server as it is so much later than when all was made, however long the servers before it took.
    private ServerProcess at(Path library, Duration later) throws IOException {
        var ahead = later.minus(Duration.between(begun, Instant.now()).truncatedTo(ChronoUnit.SECONDS));
        // The JVM waits by the monotonic clock. It must stay the real one, and waits for it must stay as they are:
        // with the library's "fix" they return at once, and the JVM does nothing but wait.
        var time = Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME",
                "+" + ahead.toSeconds() + "s",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
        var flags = List.of(
                "--session-idle=" + DAYS,
                "--session-lifetime=" + LIFETIME,
                "--invitation-lifetime=" + DAYS,
                "--port=" + port,
                "--public-url=" + url,
                "--oidc-issuer=" + TrustedPublishingScenario.issuer("people"),
                "--oidc-client-id=sheaf",
                "--oidc-auto-provision=true",
                "--trusted-issuers=" + TrustedPublishingScenario.issuer("github"));
        return ServerProcess.start(folder, List.of(), flags, time);
    }

    @Test
    void everythingEndsOnTimeAcrossRestarts() throws Exception {
        var library = library();
        assumeTrue(library.isPresent(), "libfaketime is not installed (Debian's package faketime)");
        try (var server = at(library.get(), Duration.ZERO);
                var requests = new Requests(server.url())) {
            meetProvider(requests);
            make(requests, server.adminKey().expose());
            begun = Instant.now();
            assertThat(used(requests, Duration.ZERO)).isEqualTo(expected(Duration.ZERO));
        }
        for (Duration end : List.of(CODES, TOKENS, DAYS, LIFETIME)) {
            for (Duration later : List.of(end.minus(BEFORE), end)) {
                try (var server = at(library.get(), later);
                        var requests = new Requests(server.url())) {
                    meetProvider(requests);
                    assertThat(used(requests, later)).isEqualTo(expected(later));
                }
            }
        }
    }

    /// Begins sign-ins until the server knows its provider, which may take longer than it waits for it.
    private static void meetProvider(Requests requests) {
        Eventually.within(
                PATIENCE,
                () ->
                        requests
                                .get("/v1/sign-in/oidc?redirect=/hub", null)
                                .response()
                                .headers()
                                .allValues("Set-Cookie")
                                .stream()
                                .anyMatch(line -> line.startsWith("sheaf_sign_in=")));
    }

    /// Whatever has an end in the database is tried here, or is nothing that opens a door. What has none there
    /// (access tokens, id_tokens, sign-ins at a provider, codes of authenticators) carries it itself.
    @Test
    void nothingThatEndsIsForgotten() throws IOException {
        var tables = new TreeSet<String>();
        String table = "";
        for (String line : Files.readAllLines(Path.of("src/main/resources/migration/V23__baseline.sql"))) {
            table = line.startsWith("CREATE TABLE ") ? line.split(" ")[2] : table;
            if (line.strip().matches("(expires_at|ends_at|retire_at|idle_until) .*")) {
                tables.add(table);
            }
        }

        assertThat(tables)
                .containsExactlyInAnyOrder(
                        "api_key",
                        "device_grant",
                        "invitation",
                        "namespace_transfer",
                        "password_ticket",
                        "session",
                        "signing_key", // of tokens: SigningKeysTest
                        "revoked_token", // what is remembered as long as it could be used
                        "used_id_token", // likewise
                        "upload"); // which opens nothing without a credential
    }

    /// What each of them came to.
    private List<String> used(Requests requests, Duration later) {
        return made.stream()
                .filter(credential -> credential.isTried(later))
                .map(credential -> credential.name() + said(credential.use().apply(requests)))
                .toList();
    }

    private static String said(Reply reply) {
        return switch (reply.status()) {
            case 200, 204, 302 -> WORKS;
            case 401, 404 -> OVER;
            case 400 -> error(reply);
            case 409 -> reply.text().contains("the transfer is expired") ? OVER : reply.text();
            default -> reply.text();
        };
    }

    private static String error(Reply reply) {
        return switch (reply.json().get("error").stringValue()) {
            case "authorization_pending" -> WORKS;
            case "expired_token" -> OVER;
            case "invalid_grant" -> // a device code that is forgotten, an id_token that is over
                reply.text().matches(".*(device code is unknown|claim exp).*") ? OVER : reply.text();
            default -> reply.text();
        };
    }

    private List<String> expected(Duration later) {
        return made.stream()
                .filter(credential -> credential.isTried(later))
                .map(credential -> credential.name() + (later.compareTo(credential.end()) < 0 ? WORKS : OVER))
                .toList();
    }

    private void make(Requests requests, String admin) {
        bearer("a key for ever", Duration.ofDays(999), admin);
        for (Duration length : List.of(TOKENS, DAYS)) {
            String key = text(requests.post(KEYS, admin, """
                    {"name": "%s", "scopes": ["write"], "expiresIn": "%s"}""".formatted(length, length)), "key");
            bearer("a key for " + length, length, key);
            bearer(
                    "a token of a key for " + length,
                    TOKENS,
                    exchange(requests, key, length.equals(TOKENS) ? "3600" : "900"));
        }
        String registry = text(requests.get("/v2/token", admin), "token");
        each("a token of the registry", TOKENS, later -> later.get("/v2/", registry));
        retiring(requests, admin);
        device(requests);
        used(requests, admin);
        for (Duration when : List.of(CODES.minus(BEFORE), CODES)) {
            provider(requests, when);
            run(requests, admin, when);
        }
        for (Duration when : List.of(Duration.ZERO, CODES.minus(BEFORE))) {
            authenticator(requests, admin, when);
        }
        for (Duration when : List.of(DAYS.minus(BEFORE), DAYS)) {
            people(requests, admin, when);
            transfer(requests, admin, when);
        }
    }

    private void each(String name, Duration end, Function<Requests, Reply> use) {
        made.add(new Credential(name, end, Set.of(), use));
    }

    private void once(String name, Duration end, Duration when, Function<Requests, Reply> use) {
        made.add(new Credential(name, end, Set.of(when), use));
    }

    /// A key that was rotated, until its overlap ends.
    private void retiring(Requests requests, String admin) {
        var key = requests.post(KEYS, admin, "{\"name\": \"rotated\"}");
        requests.post(KEYS + "/" + text(key, "id") + ":rotate", admin, "{\"overlap\": \"" + TOKENS + "\"}");
        bearer("a key that was rotated", TOKENS, text(key, "key"));
    }

    private void device(Requests requests) {
        var codes = requests.form("/v1/oauth/device_authorization", null, "client_id", "x", "scope", "read");
        String device = text(codes, "device_code");
        String user = text(codes, "user_code");
        each(
                "a device code",
                CODES,
                later -> later.form("/v1/oauth/token", null, "grant_type", DEVICE, "device_code", device));
        each("a user code", CODES, later -> later.get("/device?user_code=" + user, null));
    }

    /// A session that never idles.
    private void used(Requests requests, String admin) {
        text(requests.post("/v1/admin/users", admin, """
                {"email": "busy@acme.test", "password": "%s"}""".formatted(TestApp.PASSWORD)), "user");
        var newest = new AtomicReference<>(requests.post("/v1/sessions", null, """
                {"email": "busy@acme.test", "password": "%s"}""".formatted(TestApp.PASSWORD)));
        var when = Set.of(DAYS.minus(BEFORE), LIFETIME.minus(BEFORE), LIFETIME);
        made.add(new Credential("a session that is used", LIFETIME, when, later -> {
            var reply = refresh(later, newest.get().header("Set-Cookie").split(";")[0]);
            newest.set(reply);
            return reply;
        }));
    }

    private static Reply refresh(Requests requests, String cookie) {
        return requests.send(requests.request("POST", "/v1/sessions/current:refresh", null, null)
                .header("Cookie", cookie));
    }

    /// A sign-in that was begun, by which time its end may come.
    private void provider(Requests requests, Duration when) {
        OidcSignInTest.provider(
                TrustedPublishingScenario.PROVIDER, "people", "late" + when, "sheaf", "late" + when + "@acme.test");
        var begun = requests.get("/v1/sign-in/oidc?redirect=/hub", null);
        String cookie = OidcSignInTest.cookie(begun, "sheaf_sign_in");
        var back = OidcSignInTest.at(begun.header("Location"));
        once(
                "a sign-in at a provider",
                CODES,
                when,
                later -> later.send(later.request("GET", back.getRawPath() + "?" + back.getRawQuery(), null, null)
                        .header("Cookie", cookie)));
    }

    /// Of a workflow: what its provider says of it, and what it gets for that.
    private void run(Requests requests, String admin, Duration when) {
        String repository = "acme/at-" + when.toMinutes();
        requests.post(TrustedPublishingScenario.PUBLISHERS, admin, """
                {"provider": "github", "issuer": "%s", "repository": "%s", "bundles": ["acme/kit"]}""".formatted(
                        TrustedPublishingScenario.issuer("github"), repository));
        long seconds = CODES.minusSeconds(60).toSeconds(); // clocks may be so far apart
        for (boolean now : List.of(true, false)) {
            String idToken = TrustedPublishingScenario.idToken(
                    "github", List.of(url), TrustedPublishingScenario.github(repository), seconds);
            if (now) {
                bearer("a token of a run", TOKENS, text(exchanged(requests, idToken), "access_token"));
            } else {
                once("an id_token", CODES, when, later -> exchanged(later, idToken));
            }
        }
    }

    /// Asks again where the keys of the issuer did not come in time, as a workflow does.
    private static Reply exchanged(Requests requests, String idToken) {
        var reply = new AtomicReference<Reply>();
        Eventually.within(PATIENCE, () -> {
            reply.set(exchangedOnce(requests, idToken));
            return reply.get().status() != 503;
        });
        return reply.get();
    }

    private static Reply exchangedOnce(Requests requests, String idToken) {
        return requests.form(
                "/v1/oauth/token",
                null,
                "grant_type",
                OAuthScenario.EXCHANGE,
                "subject_token",
                idToken,
                "subject_token_type",
                TrustedPublishingScenario.ID_TOKEN);
    }

    private void authenticator(Requests requests, String admin, Duration when) {
        String email = "codes" + when.toMinutes() + "@acme.test";
        text(requests.post("/v1/admin/users", admin, """
                {"email": "%s", "password": "%s"}""".formatted(email, TestApp.PASSWORD)), "user");
        String access =
                text(requests.post("/v1/sessions", null, """
                {"email": "%s", "password": "%s"}""".formatted(email, TestApp.PASSWORD)), "accessToken");
        var shown = new Authenticator(text(requests.post(TotpScenario.TOTP, access, TotpScenario.BODY), "secret"));
        text(
                requests.post(TotpScenario.TOTP + ":confirm", access, """
                {"code": "%s"}""".formatted(shown.code(Instant.now()))),
                "recoveryCodes");
        String next = shown.code(Instant.now().plus(Authenticator.STEP));
        once(
                "a code of an authenticator",
                STEP,
                when,
                later -> later.post("/v1/sessions", null, """
                {"email": "%s", "password": "%s", "totp": "%s"}""".formatted(email, TestApp.PASSWORD, next)));
    }

    /// A namespace that is offered to another organization.
    private void transfer(Requests requests, String admin, Duration when) {
        String name = "to-" + when.toHours();
        String key = requireNonNull(requests.post("/v1/organizations", admin, """
                {"handle": "%s", "name": "%s"}""".formatted(name, name))
                .as(CreatedOrganization.class)
                .adminKey()
                .key());
        requests.post("/v1/organizations/default/namespaces", admin, "{\"handle\": \"" + name + "\"}");
        String id = text(
                requests.post("/v1/organizations/default/namespaces/" + name + ":transfer", admin, """
                {"organization": "%s"}""".formatted(name)),
                "id");
        once(
                "a namespace that is offered",
                DAYS,
                when,
                later -> later.post("/v1/organizations/" + name + "/transfers/" + id + ":accept", key, "{}"));
    }

    private void bearer(String name, Duration end, String credential) {
        each(name, end, requests -> requests.get("/v1/publisher/me", credential));
    }

    private static String exchange(Requests requests, String key, String seconds) {
        return text(
                requests.form(
                        "/v1/oauth/token",
                        null,
                        "grant_type",
                        OAuthScenario.EXCHANGE,
                        "subject_token",
                        key,
                        "subject_token_type",
                        OAuthScenario.API_KEY,
                        "expires_in",
                        seconds),
                "access_token");
    }

    private void people(Requests requests, String admin, Duration when) {
        String name = when.toString().toLowerCase(Locale.ROOT);
        text(requests.post("/v1/admin/users", admin, """
                {"email": "%s@acme.test", "password": "%s"}""".formatted(name, TestApp.PASSWORD)), "user");
        var session = requests.post("/v1/sessions", null, """
                {"email": "%s@acme.test", "password": "%s"}""".formatted(name, TestApp.PASSWORD));
        String access = text(session, "accessToken");
        each("an access token of a session", TOKENS, later -> later.get("/v1/users/me", access));
        String cookie = session.header("Set-Cookie").split(";")[0];
        once("a session that is not used", DAYS, when, later -> refresh(later, cookie));
        String ticket = text(requests.post("/v1/admin/users", admin, """
                {"email": "new-%s@acme.test"}""".formatted(name)), "passwordToken");
        once(
                "a ticket for a password",
                DAYS,
                when,
                later -> later.post("/v1/users:setPassword", null, """
                {"token": "%s", "password": "%s"}""".formatted(ticket, TestApp.PASSWORD)));
        String invitation =
                text(requests.post("/v1/organizations/default/invitations", admin, """
                {"email": "guest-%s@acme.test", "role": "reader"}""".formatted(name)), "token");
        once(
                "an invitation",
                DAYS,
                when,
                later -> later.post("/v1/invitations:accept", null, """
                {"token": "%s", "password": "%s"}""".formatted(invitation, TestApp.PASSWORD)));
    }

    private static String text(Reply reply, String member) {
        assertThat(reply.status()).as(reply.text()).isIn(200, 201);
        return reply.json().get(member).asString("");
    }
}
