package dev.sheaf.engine.db;

import dev.sheaf.engine.db.mapping.JdbiSetup;
import dev.sheaf.engine.db.mapping.KeptStatements;
import dev.sheaf.engine.db.outage.RootCause;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConfig;

/// SQLite in WAL mode with `synchronous=FULL`. Its calls block in native code and would pin virtual threads, so
/// they run on a few platform threads: one writes, the others read.
///
/// Group commit: the writer takes all queued work, runs each piece under its own savepoint, and commits them
/// together, so that concurrent pushes share one sync. Success is reported only after the commit.
public final class SqliteDatabase extends Database {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteDatabase.class);
    private static final int BATCH = 64;
    // instructions of SQLite's virtual machine between two checks; they take some milliseconds
    private static final int STEPS = 50_000;

    // Per connection. The file is not mapped into memory: mapped pages count as this process's memory once for
    // each connection, and a bad sector would kill the process instead of failing a statement.
    private static final int CACHE_KIB = -8_192;

    private final Jdbi jdbi;
    private final BlockingQueue<SqliteWork<?>> writes = new LinkedBlockingQueue<>();
    private final BlockingQueue<SqliteWork<?>> reads = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger busy = new AtomicInteger();
    private volatile boolean closed;
    private volatile LongConsumer commits = size -> {};

    /// Opens the file, creating it if it is missing. The schema must exist already.
    public SqliteDatabase(Path file, int readers, InstantSource clock) {
        super(clock);
        this.jdbi = JdbiSetup.over(() -> connect(file), logger());
        jdbi.setStatementBuilderFactory(connection -> new KeptStatements());
        threads.add(Thread.ofPlatform().name("sqlite-writer").start(() -> serve(writes, this::commitTogether)));
        for (int i = 0; i < readers; i++) {
            threads.add(Thread.ofPlatform().name("sqlite-reader-" + i).start(() -> serve(reads, this::readOne)));
        }
    }

    static Connection connect(Path file) throws SQLException {
        var config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.enforceForeignKeys(true);
        config.setBusyTimeout(10_000);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        config.setCacheSize(CACHE_KIB); // negative: in KiB instead of pages
        return config.createConnection("jdbc:sqlite:" + file);
    }

    @Override
    <T extends @Nullable Object> T readNow(Function<Tx, T> work) {
        return submit(reads, work).awaitInTime();
    }

    @Override
    <T extends @Nullable Object> T snapshotNow(Function<Tx, T> work) {
        var alone = new SqliteWork<T>(work);
        Thread.ofPlatform().name("sqlite-snapshot").daemon().start(() -> {
            try (Handle handle = jdbi.open()) {
                readOne(handle, alone);
            } catch (SQLException | RuntimeException | Error e) {
                alone.fail(e);
            }
        });
        return alone.await();
    }

    @Override
    <T extends @Nullable Object> T writeNow(Function<Tx, T> work) {
        var submitted = submit(writes, work);
        T result = submitted.await();
        announce(submitted.changes());
        return result;
    }

    private <T extends @Nullable Object> SqliteWork<T> submit(
            BlockingQueue<SqliteWork<?>> queue, Function<Tx, T> body) {
        if (threads.contains(Thread.currentThread())) {
            throw nested();
        }
        var work = new SqliteWork<T>(body);
        queue.add(work);
        if (closed && queue.remove(work)) {
            work.fail(shutDown());
        }
        return work;
    }

    private static ProblemException shutDown() {
        return new Problem.Unavailable("this node is shutting down; try again, another one may answer", 1).raise();
    }

    private interface Step {
        void run(Handle handle, SqliteWork<?> first) throws SQLException;
    }

    private void serve(BlockingQueue<SqliteWork<?>> queue, Step step) {
        try (Handle handle = jdbi.open()) {
            while (true) {
                SqliteWork<?> work = queue.take();
                busy.incrementAndGet();
                try {
                    step.run(handle, work);
                } catch (SQLException | RuntimeException | Error e) { // without this thread the node would not serve
                    if (!DatabaseDamage.isCauseOf(e)) { // which is logged once
                        LOG.error("the database failed: {}", RootCause.of(e));
                    }
                    LOG.debug("where it failed", e);
                    rollBack(handle);
                    work.fail(SqliteFailures.translated(e));
                } finally {
                    busy.decrementAndGet();
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("closed", e);
        } catch (RuntimeException | Error e) {
            if (DatabaseDamage.isCauseOf(e)) {
                damage().met(e); // one line, once
            } else {
                LOG.error("a thread of the database has ended, so this node refuses requests; restart it", e);
            }
        } finally {
            closed = true; // whatever ended the thread, no caller may wait for it
            for (SqliteWork<?> left = queue.poll(); left != null; left = queue.poll()) {
                left.fail(shutDown());
            }
        }
    }

    private void readOne(Handle handle, SqliteWork<?> work) throws SQLException {
        if (work.isAbandoned()) {
            return;
        }
        ProgressHandler.setHandler(handle.getConnection(), STEPS, new ProgressHandler() {
            @Override
            protected int progress() {
                return work.isToEnd() ? 1 : 0;
            }
        });
        try (Statement statement = handle.getConnection().createStatement()) {
            statement.execute("BEGIN");
            work.run(handle, now());
            end(handle, statement);
        }
        work.succeed();
    }

    /// Ends a transaction that only read. After a statement that met damage, a commit fails for the same reason.
    private static void end(Handle handle, Statement statement) throws SQLException {
        try {
            statement.execute("COMMIT");
        } catch (SQLException e) {
            if (!DatabaseDamage.isCauseOf(e)) {
                throw e;
            }
            rollBack(handle);
        }
    }

    private void commitTogether(Handle handle, SqliteWork<?> first) throws SQLException {
        var batch = new ArrayList<SqliteWork<?>>();
        batch.add(first);
        writes.drainTo(batch, BATCH - 1);
        try (Statement statement = handle.getConnection().createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            for (SqliteWork<?> work : batch) {
                statement.execute("SAVEPOINT work");
                work.run(handle, now());
                if (work.failed()) {
                    statement.execute("ROLLBACK TO work");
                }
                statement.execute("RELEASE work");
            }
            statement.execute("COMMIT");
            commits.accept(batch.size());
        } catch (SQLException e) {
            LOG.error("the database cannot commit; {} transactions are refused: {}", batch.size(), RootCause.of(e));
            LOG.debug("where it cannot commit", e);
            rollBack(handle);
            bury(handle);
            batch.forEach(work -> work.fail(refusal(e)));
        } catch (RuntimeException | Error e) {
            batch.forEach(work -> work.fail(e)); // none may wait for it
            throw e;
        }
        batch.forEach(SqliteWork::succeed);
    }

    private static Throwable refusal(SQLException e) {
        var told = SqliteFailures.translated(e);
        return told == e && !DatabaseDamage.isCauseOf(e) && !DatabaseDamage.isOfSearch(e)
                ? new Problem.Unavailable("the database cannot write now; try again", 5).raise()
                : told;
    }

    /// Overwrites a commit whose sync failed. It is still complete in the write-ahead log, and a start after a
    /// crash would take it for committed, although its callers got an error and have deleted their blobs. So
    /// another transaction that changes nothing is written over it.
    private static void bury(Handle handle) {
        try (Statement statement = handle.getConnection().createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("PRAGMA user_version = 0");
            statement.execute("COMMIT");
        } catch (SQLException e) {
            LOG.error(
                    "changes that failed to commit may reappear if this process is killed before its next write: {}",
                    RootCause.of(e));
            rollBack(handle);
        }
    }

    private static void rollBack(Handle handle) {
        try (Statement statement = handle.getConnection().createStatement()) {
            statement.execute("ROLLBACK");
        } catch (SQLException e) {
            LOG.debug("nothing to roll back", e); // SQLite rolls back by itself after some errors
        }
    }

    /// Makes `by` receive the number of transactions in each group that is committed.
    public void measuredCommits(LongConsumer by) {
        commits = by;
    }

    /// Returns the number of writes that wait for the writer.
    public int writesWaiting() {
        return writes.size();
    }

    @Override
    public SqlDialect dialect() {
        return SqlDialect.SQLITE;
    }

    @Override
    public int busy() {
        return busy.get();
    }

    @Override
    public int waiting() {
        return reads.size() + writes.size();
    }

    /// Ends the threads; queued work fails. The writer's connection closes last and alone: of two connections
    /// that close at the same time, each sees the other, and both leave the log next to the file.
    @Override
    public void close() {
        closed = true;
        var writer = threads.getFirst();
        threads.stream().filter(thread -> thread != writer).forEach(Thread::interrupt);
        boolean interrupted = false;
        for (Thread thread : threads.reversed()) {
            if (thread == writer) {
                writer.interrupt();
            }
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
