package dev.sheaf.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.AccessTokens;
import dev.sheaf.server.auth.SigningKeys;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionsTest {
    private static final Duration IDLE = Duration.ofHours(1);
    private static final Duration LIFETIME = Duration.ofHours(3);
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration INSTANT = Duration.ofMillis(1);
    private static final SignInSource VISIT = new SignInSource("192.0.2.1", "test", "request");

    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock();

    /// Opens a session and does something with it.
    private void given(Sessions.Limits limits, Work work) {
        try (Database database = Databases.sqlite(folder.resolve("sheaf.db"), clock)) {
            var master = MasterSecret.parse(MasterSecret.generate());
            var tokens = new AccessTokens(new SigningKeys(database, master));
            var sessions = new Sessions(database, master, tokens, limits);
            var account = database.write(tx -> Accounts.create(tx, EmailAddress.parse("ada@acme.test"), null, "test"));
            var entry = new Sessions.Entry(account.id(), account.email().value(), "password", VISIT);
            work.on(sessions, () -> sessions.open(database.write(tx -> sessions.begin(tx, entry))));
        }
    }

    private void given(Work work) {
        given(new Sessions.Limits(IDLE, LIFETIME), work);
    }

    private interface Work {
        void on(Sessions sessions, SignIn signIn);
    }

    private interface SignIn {
        Sessions.Opened now();
    }

    private static CredentialFault refused(Sessions sessions, Secret token) {
        var thrown = catchThrowableOfType(ProblemException.class, () -> sessions.refresh(VISIT, token));
        assertThat(thrown).as("it was refreshed").isNotNull();
        return ((Problem.Unauthenticated) thrown.problem()).fault();
    }

    @Test
    void aTokenIsReplacedWhenItIsUsed() {
        given((sessions, signIn) -> {
            var first = signIn.now();

            var second = sessions.refresh(VISIT, first.refresh());

            assertThat(second.session()).isEqualTo(first.session());
            assertThat(second.refresh()).isNotEqualTo(first.refresh());
        });
    }

    @Test
    void oneThatComesAgainAtOnceIsGivenTheSameSuccessor() {
        given((sessions, signIn) -> {
            var first = signIn.now();
            var second = sessions.refresh(VISIT, first.refresh());
            clock.advance(GRACE.minus(INSTANT));

            assertThat(sessions.refresh(VISIT, first.refresh()).refresh()).isEqualTo(second.refresh());
        });
    }

    @Test
    void oneThatComesAgainLaterEndsTheSession() {
        given((sessions, signIn) -> {
            var first = signIn.now();
            var second = sessions.refresh(VISIT, first.refresh());
            clock.advance(GRACE);

            assertThat(refused(sessions, first.refresh())).isEqualTo(CredentialFault.REVOKED);
            assertThat(refused(sessions, second.refresh())).isEqualTo(CredentialFault.REVOKED);
        });
    }

    @Test
    void oneBeforeTheLastEndsTheSessionAtOnce() {
        given((sessions, signIn) -> {
            var first = signIn.now();
            var second = sessions.refresh(VISIT, first.refresh());
            var third = sessions.refresh(VISIT, second.refresh());

            assertThat(refused(sessions, first.refresh())).isEqualTo(CredentialFault.REVOKED);
            assertThat(refused(sessions, third.refresh())).isEqualTo(CredentialFault.REVOKED);
        });
    }

    @Test
    void anIdleSessionLivesToItsLastInstant() {
        given((sessions, signIn) -> {
            var first = signIn.now();
            clock.advance(IDLE.minus(INSTANT));

            assertThat(sessions.refresh(VISIT, first.refresh()).refreshEndsAt())
                    .isEqualTo(clock.instant().plus(IDLE));
        });
    }

    @Test
    void anIdleSessionExpires() {
        given((sessions, signIn) -> {
            var first = signIn.now();
            clock.advance(IDLE);

            assertThat(refused(sessions, first.refresh())).isEqualTo(CredentialFault.EXPIRED);
        });
    }

    @Test
    void aSessionInUseLivesNoLongerThanItsLifetime() {
        given((sessions, signIn) -> {
            var begun = clock.instant();
            var last = signIn.now();
            for (int i = 0; i < 5; i++) {
                clock.advance(Duration.ofMinutes(30));
                last = sessions.refresh(VISIT, last.refresh());
            }

            assertThat(last.refreshEndsAt()).isEqualTo(begun.plus(LIFETIME));
        });
    }

    @Test
    void anAccessTokenDoesNotOutliveItsSession() {
        var brief = AccessTokens.LIFETIME.dividedBy(3);
        given(
                new Sessions.Limits(brief, LIFETIME),
                (sessions, signIn) -> assertThat(signIn.now().accessEndsAt())
                        .isEqualTo(clock.instant().plus(brief)));
    }

    @Test
    void aTokenThatSomebodyMadeUpIsUnknown() {
        given((sessions, signIn) -> {
            var stranger = RefreshTokens.ofPrograms(MasterSecret.parse(MasterSecret.generate()));
            var made = stranger.make(signIn.now().session(), 0, "seed");

            assertThat(refused(sessions, made)).isEqualTo(CredentialFault.UNKNOWN);
        });
    }

    @Test
    void whatIsNoTokenIsMalformed() {
        given((sessions, signIn) ->
                assertThat(refused(sessions, Secret.of("shr_x"))).isEqualTo(CredentialFault.MALFORMED));
    }

    @Test
    void ofMoreThanAHundredTheOldestEnds() {
        given((sessions, signIn) -> {
            var oldest = signIn.now();
            var next = signIn.now();
            for (int i = 0; i < 99; i++) {
                clock.advance(INSTANT);
                signIn.now();
            }

            assertThat(refused(sessions, oldest.refresh())).isEqualTo(CredentialFault.REVOKED);
            assertThat(sessions.refresh(VISIT, next.refresh()).session()).isEqualTo(next.session());
        });
    }
}
