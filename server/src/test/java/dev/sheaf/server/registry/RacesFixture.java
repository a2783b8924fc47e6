package dev.sheaf.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.registry.gc.CollectorFixture;
import dev.sheaf.server.registry.gc.CollectorSweep;
import dev.sheaf.server.registry.gc.LinkSweep;
import dev.sheaf.server.registry.gc.ManifestSweep;
import dev.sheaf.server.testing.Eventually;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Pushes, deletes and the collector at the same moment: one transaction is held open until the other waits for it
/// or has passed it. On SQLite the second then waits in the queue of the only writer.
public abstract class RacesFixture extends CollectorFixture {
    public static final Duration DAY = Duration.ofDays(1);

    private boolean opened;

    @Override
    public RetentionPolicy keeping() {
        return new RetentionPolicy(DAY, DAY, Duration.ZERO);
    }

    /// Runs `other` while the transaction of `work` is open and has done its work.
    public final <T> T whileOpen(Consumer<Tx> work, Callable<T> other) throws Exception {
        opened = false;
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<T> running = database.write(tx -> {
                assertThat(opened).as("run once").isFalse();
                opened = true;
                work.accept(tx);
                var submitted = executor.submit(other);
                if (tx.dialect() == SqlDialect.POSTGRES) {
                    awaitBlocked(tx, submitted);
                }
                return submitted;
            });
            return running.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ProblemException problem ? problem : e;
        }
    }

    private static void awaitBlocked(Tx tx, Future<?> other) {
        Eventually.within(Duration.ofSeconds(30), () -> other.isDone() || isBlocking(tx));
    }

    private static boolean isBlocking(Tx tx) {
        return tx.handle().createQuery("""
                        SELECT count(*) > 0 FROM (SELECT DISTINCT pid FROM pg_locks WHERE NOT granted) waiting
                        WHERE pg_backend_pid() = ANY (pg_blocking_pids(waiting.pid))
                        """).mapTo(Boolean.class).one();
    }

    public final void sweepLinks(Tx tx) {
        var batch =
                new LinkSweep(keeping()).collect(tx, new CollectorSweep.From(CollectorSweep.Cursor.START, tx.now()));
        assertThat(batch.decisions()).isNotEmpty();
    }

    public final void sweepManifests(Tx tx) {
        var batch = new ManifestSweep(keeping())
                .collect(tx, new CollectorSweep.From(CollectorSweep.Cursor.START, tx.now()));
        assertThat(batch.decisions()).isNotEmpty();
    }

    public final boolean holds(Repository repository, BlobRecord blob) {
        return node.blobs().find(repository, blob.digest()).isPresent();
    }

    public final boolean holds(Repository repository, ManifestDocument document) {
        return node.manifests().find(repository, document.digest()).isPresent();
    }
}
