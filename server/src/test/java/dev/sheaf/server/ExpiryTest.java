package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What expires does so on time, and not before, for the real program: it is stopped, and started again at another
/// time of day, which libfaketime gives it.
class ExpiryTest {
    private static final Duration TOKENS = Duration.ofMinutes(15);
    private static final Duration DAYS = Duration.ofDays(3); // of a ticket for a password; the others are set to it
    private static final Duration BEFORE = Duration.ofMinutes(3);
    private static final String WORKS = " works";
    private static final String OVER = " is over";
    private static final String KEYS = "/v1/organizations/default/api-keys";

    @TempDir
    private Path folder;

    /// Something that works until its end.
    ///
    /// @param only when it is tried, where it changes by being used; null: each time
    private record Credential(
            String name, Duration end, @Nullable Duration only, Function<Requests, Reply> use) {
        boolean isTried(Duration later) {
            return only == null || only.equals(later);
        }
    }

    private final List<Credential> made = new ArrayList<>();

    private static Optional<Path> library() throws IOException {
        try (var folders = Files.list(Path.of("/usr/lib"))) {
            return folders.map(entry -> entry.resolve("faketime/libfaketime.so.1"))
                    .filter(Files::exists)
                    .findFirst();
        } catch (NoSuchFileException e) {
            return Optional.empty(); // no Linux
        }
    }

    /// The server as it is so much later than now.
    private ServerProcess at(Path library, Duration later) throws IOException {
        // The JVM waits by the monotonic clock. It must stay the real one, and waits for it must stay as they are:
        // with the library's "fix" they return at once, and the JVM does nothing but wait.
        var time = Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME",
                "+" + later.toSeconds() + "s",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
        var flags = List.of("--session-idle", DAYS.toString(), "--invitation-lifetime", DAYS.toString());
        return ServerProcess.start(folder, List.of(), flags, time);
    }

    @Test
    void everythingEndsOnTimeAcrossRestarts() throws Exception {
        var library = library();
        assumeTrue(library.isPresent(), "libfaketime is not installed (Debian's package faketime)");
        try (var server = at(library.get(), Duration.ZERO);
                var requests = new Requests(server.url())) {
            make(requests, server.adminKey().expose());
            assertThat(used(requests, Duration.ZERO)).isEqualTo(expected(Duration.ZERO));
        }
        for (Duration end : List.of(TOKENS, DAYS)) {
            for (Duration later : List.of(end.minus(BEFORE), end)) {
                try (var server = at(library.get(), later);
                        var requests = new Requests(server.url())) {
                    assertThat(used(requests, later)).isEqualTo(expected(later));
                }
            }
        }
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
            case 200, 204 -> WORKS;
            case 401, 404 -> OVER;
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
        made.add(new Credential("a token of the registry", TOKENS, null, later -> later.get("/v2/", registry)));
        for (Duration when : List.of(DAYS.minus(BEFORE), DAYS)) {
            people(requests, admin, when);
        }
    }

    private void bearer(String name, Duration end, String credential) {
        made.add(new Credential(name, end, null, requests -> requests.get("/v1/publisher/me", credential)));
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
        made.add(new Credential(
                "an access token of a session", TOKENS, null, later -> later.get("/v1/users/me", access)));
        String cookie = session.header("Set-Cookie").split(";")[0];
        made.add(new Credential(
                "a session",
                DAYS,
                when,
                later -> later.send(later.request("POST", "/v1/sessions/current:refresh", null, null)
                        .header("Cookie", cookie))));
        String ticket = text(requests.post("/v1/admin/users", admin, """
                {"email": "new-%s@acme.test"}""".formatted(name)), "passwordToken");
        made.add(new Credential(
                "a ticket for a password",
                DAYS,
                when,
                later -> later.post("/v1/users:setPassword", null, """
                        {"token": "%s", "password": "%s"}""".formatted(ticket, TestApp.PASSWORD))));
        String invitation =
                text(requests.post("/v1/organizations/default/invitations", admin, """
                {"email": "guest-%s@acme.test", "role": "reader"}""".formatted(name)), "token");
        made.add(new Credential(
                "an invitation",
                DAYS,
                when,
                later -> later.post("/v1/invitations:accept", null, """
                        {"token": "%s", "password": "%s"}""".formatted(invitation, TestApp.PASSWORD))));
    }

    private static String text(Reply reply, String member) {
        assertThat(reply.status()).as(reply.text()).isIn(200, 201);
        return reply.json().get(member).asString("");
    }
}
