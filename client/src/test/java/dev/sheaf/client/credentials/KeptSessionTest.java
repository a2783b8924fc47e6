package dev.sheaf.client.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.Directories;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.client.testing.TinySessions;
import dev.sheaf.model.key.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The stored session: renewed in time, by one thread at a time, and ended.
class KeptSessionTest {
    @TempDir
    private Path home;

    private final TinyRegistry registry = TinyRegistry.start();
    private final TinySessions sessions = new TinySessions(registry);
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void signIn() {
        try (var login = DeviceLogin.at(registry.url(), NetworkSettings.ofThisUser(), () -> now, wait -> {})) {
            var session =
                    login.await(login.begin(dev.sheaf.model.key.Scope.WRITE).orElseThrow());
            credentials().store(session);
        }
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    /// Returns credentials as another process sees them.
    private Credentials credentials() {
        return new Credentials(
                registry.url(),
                Map.of(),
                Keychain.NONE,
                Directories.of(Map.of(), "Linux", home),
                NetworkSettings.ofThisUser(),
                () -> now);
    }

    private Path file() {
        return home.resolve(
                ".local/share/sheaf/credentials/" + registry.url().authority().replace(':', '_') + "/session");
    }

    private String token() {
        return credentials().bearer().orElseThrow().token().expose();
    }

    @Test
    void nobodyElseCanReadIt() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file().getParent())))
                .isEqualTo("rwx------");

        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));

        assertThatThrownBy(this::token)
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContaining("chmod 600")
                .hasMessageNotContaining("shr_1");
    }

    @Test
    void aTokenIsRenewedShortlyBeforeItEnds() {
        now = now.plusSeconds(839);
        assertThat(token()).isEqualTo("access1");

        now = now.plusSeconds(1);

        assertThat(token()).isEqualTo("access2");
        assertThat(token()).isEqualTo("access2");
        assertThat(sessions.renewals()).isEqualTo(1);
    }

    @Test
    void aLongRunRenewsItsTokenOnTheWay() {
        try (var client = SheafClient.of(registry.url())
                .bearer(credentials().bearer().orElseThrow())
                .open()) {
            client.whoAmI();
            now = now.plusSeconds(900);
            client.whoAmI();
        }

        assertThat(registry.requests("/v1/publisher/me"))
                .extracting(request -> request.headers().getFirst("Authorization"))
                .containsExactly("Bearer access1", "Bearer access2");
    }

    /// The fake registry ends the session when a refresh token is used twice.
    @Test
    void ofManyAtOneTimeOneRenews() throws Exception {
        now = now.plusSeconds(900);
        var tasks = new ArrayList<Callable<String>>();
        for (int i = 0; i < 16; i++) {
            tasks.add(this::token);
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<String> token : threads.invokeAll(tasks)) {
                assertThat(token.get()).isEqualTo("access2");
            }
        }
        assertThat(sessions.renewals()).isEqualTo(1);
    }

    @Test
    void anAnswerThatBreaksOffIsAskedForAgainWithTheSameToken() {
        registry.replaceOnce("/v1/oauth/token", exchange -> {
            registry.replace(
                    "/v1/oauth/token",
                    again -> TinyRegistry.send(again, 200, """
                    {"access_token": "again", "refresh_token": "shr_2", "expires_in": 900}""".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
            exchange.close();
        });
        now = now.plusSeconds(900);

        assertThat(token()).isEqualTo("again");
    }

    @Test
    void aTokenThatTheRegistryEndsEarlyIsReplacedOnce() {
        registry.replaceOnce(
                "/v1/publisher/me", exchange -> TinyRegistry.problem(exchange, 401, "token-revoked", "keys replaced"));
        try (var client = SheafClient.of(registry.url())
                .bearer(credentials().bearer().orElseThrow())
                .open()) {
            assertThat(client.whoAmI().credentialName()).isEqualTo("laptop");

            registry.replace(
                    "/v1/publisher/me", exchange -> TinyRegistry.problem(exchange, 401, "token-revoked", "no"));
            assertThatThrownBy(client::whoAmI).isInstanceOf(SheafException.Unauthenticated.class);
        }
        assertThat(sessions.renewals()).isEqualTo(2);
        assertThat(registry.requests("/v1/publisher/me")).hasSize(4);
    }

    @Test
    void aSessionThatWasEndedIsForgotten() {
        sessions.end();
        now = now.plusSeconds(900);

        assertThatThrownBy(this::token)
                .isInstanceOf(SheafException.Unauthenticated.class)
                .hasMessage("because of invalid_grant");
        assertThat(credentials().bearer()).isEmpty();
    }

    @Test
    void aRegistryThatFailsEndsNothing() {
        registry.close();
        now = now.plusSeconds(900);

        assertThatThrownBy(this::token).isInstanceOf(SheafException.Network.class);
        assertThat(credentials().bearer()).isPresent();
    }

    @Test
    void itEndsThereAndHere() {
        var other = credentials().bearer().orElseThrow();

        assertThat(credentials().endSession()).isTrue();

        assertThat(sessions.revoked()).containsExactly("shr_1");
        assertThat(file()).doesNotExist();
        assertThat(credentials().endSession()).isFalse();
        now = now.plusSeconds(900);
        assertThatThrownBy(other::token)
                .as("no other process brings it back")
                .isInstanceOf(SheafException.Unauthenticated.class);
    }

    @Test
    void itIsForgottenWhereTheRegistryIsAway() {
        registry.close();

        assertThatThrownBy(() -> credentials().endSession()).isInstanceOf(SheafException.Network.class);
        assertThat(credentials().bearer()).isEmpty();
    }

    @Test
    void aKeyAndASessionDoNotGetInEachOthersWay() {
        var credentials = credentials();
        credentials.store(Secret.of("shf_key"));
        assertThat(token()).as("a key goes first").isEqualTo("shf_key");

        credentials.store(Session.begun("shr_9", "access9", 900, now));

        assertThat(credentials.find()).isEmpty();
        assertThat(token()).isEqualTo("access9");
    }

    @Test
    void whatIsNoSessionIsSaidToBeNone() throws Exception {
        for (String text : List.of("{}", "no JSON", "{\"refreshToken\": \"a\\nb\", \"accessToken\": \"c\"}")) {
            Files.writeString(file(), text);
            assertThatThrownBy(this::token)
                    .isInstanceOf(SheafException.Local.class)
                    .hasMessageContaining("log in again");
        }
    }
}
