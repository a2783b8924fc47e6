package dev.sheaf.engine.db;

import static dev.sheaf.engine.db.OrganizationTable.count;
import static dev.sheaf.engine.db.OrganizationTable.insert;
import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.testing.Databases;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@SuppressWarnings("NullAway") // set by JUnit
class SqliteDatabaseTest {
    private static final int MANY = 150; // more than two batches

    @TempDir
    Path folder;

    private final ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch release = new CountDownLatch(1);
    private SqliteDatabase database;

    @BeforeEach
    void open() {
        database = Databases.sqlite(folder.resolve("sheaf.db"), InstantSource.system());
    }

    @AfterEach
    void close() {
        release.countDown();
        virtual.shutdown();
        database.close();
    }

    /// Or a node that starts after it takes it for killed.
    @Test
    void leavesNoLogBesideTheFileWhenItCloses() {
        for (int i = 0; i < 100; i++) {
            Path file = folder.resolve("closed" + i + ".db");
            try (var closed = Databases.sqlite(file, InstantSource.system())) {
                closed.write(tx -> {
                    insert(tx, "one");
                    return true;
                });
            }
            assertThat(folder.resolve(file.getFileName() + "-wal")).doesNotExist();
        }
    }

    @Test
    void keepsEveryWriteThatItAcknowledgedAndNoOther() throws Exception {
        var writes = behindAHeldWriter(i -> database.write(tx -> {
            insert(tx, "o" + i);
            if (i % 3 == 0) {
                throw new IllegalArgumentException("work " + i);
            }
            return "o" + i;
        }));

        release.countDown();

        var kept = new ArrayList<String>();
        for (var write : writes) {
            try {
                kept.add(write.get());
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(IllegalArgumentException.class);
            }
        }
        assertThat(kept).hasSize(MANY - MANY / 3);
        assertThat(idsInANewProcess()).containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    void givesEveryWorkOfABatchTheStateThatThoseBeforeItLeft() throws Exception {
        var writes = behindAHeldWriter(i -> database.write(tx -> insert(tx, "o" + count(tx))));

        release.countDown();

        var ids = new ArrayList<String>();
        for (var write : writes) {
            ids.add(write.get());
        }
        assertThat(ids)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, MANY).mapToObj(i -> "o" + i).toList());
    }

    @Test
    void readsWhileAWriteIsHeld() throws Exception {
        var held = holdTheWriter();

        for (int i = 0; i < 200; i++) {
            assertThat(virtual.submit(() -> count(database)).get(60, TimeUnit.SECONDS))
                    .isZero();
        }

        assertThat(held.isDone()).isFalse();
    }

    /// More callers wait than there are carrier threads; if waiting pinned them, the last thread would never run.
    @Test
    void pinsNoVirtualThreadWhileItWaits() throws Exception {
        int more = Runtime.getRuntime().availableProcessors() * 8 + 300;
        var waiting = new CountDownLatch(more);
        holdTheWriter();
        for (int i = 0; i < more; i++) {
            String id = "o" + i;
            virtual.submit(() -> {
                waiting.countDown();
                return database.write(tx -> insert(tx, id));
            });
        }

        assertThat(waiting.await(20, TimeUnit.SECONDS)).isTrue();

        assertThat(virtual.submit(() -> "ran").get(60, TimeUnit.SECONDS)).isEqualTo("ran");
    }

    @Test
    void refusesWorkAfterItWasClosedInsteadOfLettingItWait() {
        database.close();

        assertThat(refusal(() -> database.write(tx -> 1))).isInstanceOf(Problem.Unavailable.class);
        assertThat(refusal(() -> database.read(tx -> 1))).isInstanceOf(Problem.Unavailable.class);
    }

    @Test
    void refusesWhatIsQueuedWhenItIsClosed() throws Exception {
        var writes = behindAHeldWriter(i -> database.write(tx -> insert(tx, "o" + i)));

        database.close();

        for (var write : writes) {
            assertThatThrownBy(write::get).hasCauseInstanceOf(ProblemException.class);
        }
    }

    @Test
    void goesOnAfterABatchThatCouldNotCommit() {
        assertThat(refusal(() -> database.write(tx -> tx.handle().execute("COMMIT"))))
                .isInstanceOf(Problem.Unavailable.class);

        assertThat(database.<String>write(tx -> insert(tx, "after"))).isEqualTo("after");
        assertThat(count(database)).isEqualTo(1);
    }

    private interface Work {
        String run(int i);
    }

    /// Calls that queue up behind a write which ends when [#release] is counted down.
    private List<Future<String>> behindAHeldWriter(Work work) throws Exception {
        holdTheWriter();
        var started = new CountDownLatch(MANY);
        var calls = new ArrayList<Future<String>>();
        for (int i = 0; i < MANY; i++) {
            int number = i;
            calls.add(virtual.submit(() -> {
                started.countDown();
                return work.run(number);
            }));
        }
        started.await();
        return calls;
    }

    private Future<Integer> holdTheWriter() throws InterruptedException {
        var holding = new CountDownLatch(1);
        var held = virtual.submit(() -> database.write(tx -> {
            holding.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the database is being closed
            }
            return 1;
        }));
        holding.await();
        return held;
    }

    /// A statement that would count for an hour.
    @Test
    void aReadThatNobodyWaitsForEnds() throws Exception {
        var begun = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var waiter = Thread.ofVirtual().start(() -> {
            try {
                database.read(tx -> {
                    begun.countDown();
                    try {
                        return tx.handle()
                                .createQuery("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                                        + " WHERE i < 100000000000) SELECT count(*) FROM n")
                                .mapTo(Long.class)
                                .one();
                    } finally {
                        ended.countDown();
                    }
                });
            } catch (ProblemException e) {
                assertThat(e.problem()).isInstanceOf(Problem.Unavailable.class);
            }
        });
        begun.await();

        waiter.interrupt();

        ended.await();
        waiter.join();
        assertThat(database.<Integer>read(tx ->
                        tx.handle().createQuery("SELECT 1").mapTo(Integer.class).one()))
                .as("its thread goes on")
                .isEqualTo(1);
    }

    private List<String> idsInANewProcess() {
        database.close();
        try (var again = Databases.sqlite(folder.resolve("sheaf.db"), InstantSource.system())) {
            return again.read(tx -> tx.handle()
                    .createQuery("SELECT id FROM organization")
                    .mapTo(String.class)
                    .list());
        }
    }
}
