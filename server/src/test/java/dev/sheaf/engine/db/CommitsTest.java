package dev.sheaf.engine.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CommitsTest {
    /// NOTIFY takes a lock that is one for all databases of a server, and keeps it until the commit is on the disk: in
    /// a writer's transaction it would let one of all writers commit at a time.
    @Test
    void ofWritersThatAnnounceChangesDoNotWaitForEachOther() throws Exception {
        try (var load = new CommitLoad(32)) {
            var result = load.run(32, Duration.ofSeconds(2), true);

            assertThat(result.commits()).isPositive();
            assertThat(result.lockWaits())
                    .as("seen waiting for the lock of NOTIFY")
                    .isZero();
        }
    }
}
