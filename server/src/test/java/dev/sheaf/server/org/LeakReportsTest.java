package dev.sheaf.server.org;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.org.key.LeakedCredentials;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Keys;
import dev.sheaf.server.testing.SettableClock;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reports of credentials that somebody found, while nobody looks at them.
class LeakReportsTest {
    /// Of the largest that the endpoint takes.
    private static final LeakedCredentials.Report LARGE = new LeakedCredentials.Report(
            Collections.nCopies(100, Secret.of("x".repeat(8_192))), "198.51.100.7", "request-1");

    @Test
    void aFloodOfReportsIsRefusedAndForgottenOnceItIsLookedAt(@TempDir Path folder) {
        try (var database = Databases.Kind.SQLITE.open(folder, new SettableClock())) {
            var keys = new Keys(database, MasterSecret.generate());
            var leaks =
                    new LeakedCredentials(database, keys.peppers, keys.known, keys.tokens, (secret, report) -> false);
            var admin = keys.bootstrap();
            var key = keys.create(admin);
            int taken = 0;
            while (isTaken(leaks, LARGE)) {
                taken++;
            }
            assertThat(taken).as("16 MiB of them").isBetween(18, 20);
            var late = new LeakedCredentials.Report(
                    Collections.nCopies(100, Keys.secret(key)), "198.51.100.8", "request-2");
            for (int i = 0; i < 100; i++) {
                isTaken(leaks, late);
            }
            assertThatThrownBy(() -> leaks.report(LARGE))
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            e -> assertThat(e.problem())
                                    .isInstanceOf(Problem.Unavailable.class)
                                    .returns(Throttle.MEMORY, Problem::throttle));

            leaks.run();

            assertThat(keys.store.get(admin.caller(), key.id()).state()).isEqualTo("revoked");
            assertThat(isTaken(leaks, LARGE)).as("there is room again").isTrue();
        }
    }

    private static boolean isTaken(LeakedCredentials leaks, LeakedCredentials.Report report) {
        try {
            leaks.report(report);
            return true;
        } catch (ProblemException e) {
            return false;
        }
    }
}
