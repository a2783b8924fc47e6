package dev.sheaf.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignInAttemptsTest {
    private static final String ADA = "ada";

    @TempDir
    private static Path folder;

    private final SettableClock clock = new SettableClock();
    private final Database database = Databases.sqlite(folder.resolve("sheaf.db"), clock);
    private final SignInAttempts attempts = new SignInAttempts(database, MasterSecret.parse(MasterSecret.generate()));

    @AfterEach
    void close() {
        succeed();
        database.close();
    }

    private void succeed() {
        database.write(tx -> {
            SignInAttempts.succeeded(tx, ADA);
            return ADA;
        });
    }

    /// Attempts that fail, each as soon as it may be made.
    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            attempts.begin(ADA);
            if (i >= 9) {
                clock.advance(Duration.ofMinutes(15));
            }
        }
    }

    private long pause() {
        var refused = catchThrowableOfType(ProblemException.class, () -> attempts.begin(ADA));
        assertThat(refused).isNotNull();
        return ((Problem.RateLimited) refused.problem()).retryAfterSeconds();
    }

    @Test
    void tenAreFree() {
        assertThatCode(() -> fail(10)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"10, 1", "11, 2", "12, 4", "19, 512", "20, 900", "60, 900"})
    void eachFurtherOneWaitsTwiceAsLongUpToAQuarterOfAnHour(int failures, long seconds) {
        fail(failures - 1);
        attempts.begin(ADA);

        assertThat(pause()).isEqualTo(seconds);
    }

    @Test
    void oneThatComesTooEarlyDoesNotCount() {
        fail(11);
        attempts.begin(ADA);
        long before = pause();

        assertThat(pause()).isEqualTo(before);
    }

    @Test
    void afterThePauseOneMayBeMade() {
        fail(10);
        attempts.begin(ADA);
        clock.advance(Duration.ofSeconds(2));

        assertThatCode(() -> attempts.begin(ADA)).doesNotThrowAnyException();
    }

    @Test
    void successForgetsThem() {
        fail(10);
        attempts.begin(ADA);

        succeed();

        assertThatCode(() -> fail(10)).doesNotThrowAnyException();
    }

    @Test
    void aDayForgetsThem() {
        fail(20);
        clock.advance(Duration.ofDays(1).plusMillis(1));
        attempts.begin(ADA);

        assertThatCode(() -> attempts.begin(ADA)).doesNotThrowAnyException();
    }

    @Test
    void othersDoNotWait() {
        fail(10);
        attempts.begin(ADA);

        assertThatCode(() -> attempts.begin("bob")).doesNotThrowAnyException();
    }
}
