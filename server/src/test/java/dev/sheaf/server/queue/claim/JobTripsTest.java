package dev.sheaf.server.queue.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import dev.sheaf.server.testing.Statements;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// How often a job goes to PostgreSQL and back: that is most of what a job costs there.
@Timeout(120)
class JobTripsTest {
    @TempDir
    private Path folder;

    private final UUID key = UUID.randomUUID();

    @Test
    void aVerbReadsOnceOrTwiceAndCommitsWithWhatItWrites() throws Exception {
        try (var database = Databases.Kind.POSTGRES.open(folder, new SettableClock());
                var cpu = new CpuPool(2)) {
            var its = new QueueFixture(database, QueueFixture.organization(database), folder, cpu);
            var queue = its.queue(key, "{\"name\": \"Short\"}");
            var statements = new Statements(database);
            var job = new AtomicReference<UUID>();

            var enqueued = trips(statements, () -> its.enqueue(key, queue, "{}"));
            var claimed = trips(
                    statements,
                    () -> job.set(its.claim(key, queue).orElseThrow().id()));
            var started = trips(statements, () -> its.leases.start(its.said(key, job.get())));
            var completed = trips(statements, () -> its.leases.complete(its.said(key, job.get()), null));

            assertThat(enqueued).hasSize(2);
            assertThat(claimed).hasSize(3);
            assertThat(started).hasSize(2);
            assertThat(completed).hasSize(2);
            assertThat(List.of(enqueued, claimed, started, completed))
                    .allSatisfy(trips -> assertThat(trips.getLast().sql()).endsWith("COMMIT"));
        }
    }

    private static List<Statements.Statement> trips(Statements statements, Runnable work) {
        return statements.of(() -> {
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                CompletableFuture.runAsync(work, executor).join();
            }
        });
    }
}
