package dev.sheaf.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.program.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two short faults of three nodes behind nginx. `make faults` has all of them, and longer.
@Timeout(300)
@Tag("slow")
@Tag("programs")
class FaultsTest {
    private static final int RATE = 12; // a second; other tests run beside
    private static final Duration LENGTH = Duration.ofSeconds(2);

    @TempDir
    private Path folder;

    /// Requests are answered or refused as the API says, and what was acknowledged is there.
    @Test
    void whatWasAcknowledgedIsThereAfterwards() throws Exception {
        Tool.assumeInstalled("nginx", "nginx-light");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (var cluster = new Cluster(folder.resolve("cluster"), Cluster.Kind.LINES, Map.of())) {
            var run = new FaultRun(cluster, RATE);
            for (var fault : List.of(Faults.databaseLineFrozen(LENGTH), Faults.bucketSlow(LENGTH))) {
                var measured = run.measure(fault, Duration.ofSeconds(1), LENGTH);

                assertThat(measured.failures()).as(cluster.logOfNginx()).isEmpty();
                assertThat(measured.lost()).isEmpty();
                assertThat(measured.outcomes()).anyMatch(Outcome::isWell);
            }
        }
    }
}
