package dev.sheaf.server.queue.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.db.Tx;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JobClockTest {
    @TempDir
    private Path folder;

    private final CountDownLatch looks = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger ends = new AtomicInteger();

    private final JobClock.Ticks slow = new JobClock.Ticks() {
        @Override
        public boolean tick() {
            looks.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return false;
        }

        @Override
        public @Nullable Instant next(Tx tx) {
            ends.incrementAndGet();
            return null;
        }
    };

    /// Or a node that stops would close the database while it is asked, and log that it cannot be reached.
    @Test
    void whoStopsItCanWaitForItsLastLook() throws Exception {
        try (var database = Databases.sqlite(folder.resolve("sheaf.db"), new SettableClock())) {
            var clock = new JobClock(database, slow);
            clock.begin();
            looks.await();

            clock.stop();

            assertThat(clock.awaitEnd(Duration.ofMillis(1))).isFalse();
            goOn.countDown();
            assertThat(clock.awaitEnd(Duration.ofSeconds(30))).isTrue();
            assertThat(ends).hasValue(1);
        }
    }
}
