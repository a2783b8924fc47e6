package dev.sheaf.server.db;

import static dev.sheaf.server.db.OrganizationTable.insert;
import static dev.sheaf.server.db.OrganizationTable.name;
import static dev.sheaf.server.db.OrganizationTable.rename;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Many writers want one row on PostgreSQL: they take turns, and leave connections to others.
@Timeout(60)
class HotRowTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final PostgresDatabase.Settings settings = Databases.postgres();
    private final AtomicInteger attempts = new AtomicInteger();

    private static void lock(Tx tx, String id) {
        tx.has("SELECT 1 FROM organization WHERE id = '" + id + "'" + tx.lockOf(id));
    }

    private int append(Database database) {
        return database.write(tx -> {
            attempts.incrementAndGet();
            lock(tx, "hot");
            rename(tx, "hot", name(tx, "hot") + "x");
            return 1;
        });
    }

    @Test
    void itsWritersWaitWithoutConnectionsAndAllGetTheirTurn() throws Exception {
        int writers = 3 * settings.connections();
        var held = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        try (var database = new PostgresDatabase(settings, InstantSource.system());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            database.write(tx -> insert(tx, "hot") + insert(tx, "cold"));
            var waiting = new ArrayList<Future<?>>();
            waiting.add(threads.submit(() -> database.write(tx -> {
                lock(tx, "hot");
                held.countDown();
                await(release);
                return 1;
            })));
            held.await();
            for (int i = 0; i < writers; i++) {
                waiting.add(threads.submit(() -> append(database)));
            }

            Eventually.within(LIMIT, () -> attempts.get() > writers); // each once, and one waits in the database
            Eventually.within(LIMIT, () -> database.busy() == 2);
            assertThat(database.<String>read(tx -> name(tx, "cold"))).isNotNull();
            assertThat(attempts).hasValue(writers + 1);

            release.countDown();
            for (var one : waiting) {
                one.get();
            }
            assertThat(database.<String>read(tx -> name(tx, "hot"))).isEqualTo("x".repeat(writers));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
