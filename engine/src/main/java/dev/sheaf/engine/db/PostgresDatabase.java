package dev.sheaf.engine.db;

import dev.sheaf.engine.cpu.CpuAccount;
import dev.sheaf.engine.db.mapping.JdbiSetup;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Secret;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// PostgreSQL 15 or newer, shared by any number of nodes. Writes run READ COMMITTED with row locks where order
/// matters. They run again after a serialization failure or a deadlock, and once after a unique violation: the
/// second run sees the row of the other transaction. Reads use one snapshot.
///
/// If a connection breaks before the commit was sent, nothing was changed, and the work runs again on another
/// connection. While the database is known to be down, all calls are refused immediately, and calls that wait
/// for a response are aborted.
public final class PostgresDatabase extends Database {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresDatabase.class);
    private static final int ATTEMPTS = 12;
    private static final int LINES = 3;
    /// If a connection breaks within this time, the work runs again. If it breaks later, it was silent before,
    /// and the next one may be silent too.
    private static final long QUICK = Duration.ofSeconds(3).toNanos();
    private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);

    /// The connection settings.
    ///
    /// @param listenUrl an address that bypasses the pooler; null if there is no pooler
    /// @param seal makes a text that only nodes of this installation can make of another one, 64 letters and digits
    public record Settings(
            String jdbcUrl,
            String user,
            Secret password,
            int connections,
            @Nullable String listenUrl,
            UnaryOperator<String> seal) {
        public String listensAt() {
            return listenUrl == null ? jdbcUrl : listenUrl;
        }
    }

    private final Settings settings;
    private final ChangePoller changes;
    private final ChangeHints hints;
    private final PostgresLines.Pool pool;
    private final Jdbi jdbi;
    private final ConnectionQuota quota;
    private final Set<Connection> busy = ConcurrentHashMap.newKeySet();

    public PostgresDatabase(Settings settings, InstantSource clock) {
        super(clock);
        this.settings = settings;
        this.changes = new ChangePoller(settings, change -> announce(List.of(change)), new Lines());
        this.hints = new ChangeHints(settings, changes::hinted);
        changes.start();
        hints.start();
        this.pool = new PostgresLines.Pool(settings, PostgresLines.isDirect(settings));
        this.jdbi = JdbiSetup.over(pool::connection, logger());
        this.quota = new ConnectionQuota(settings.connections());
    }

    /// Returns whether a database that could not be opened may be opened later: its server does not answer, starts,
    /// ends
    /// or is full.
    public static boolean isPassing(Throwable failure) {
        return PostgresFailures.isPassing(failure);
    }

    private final class Lines implements ChangePoller.Watcher {
        @Override
        public void down() {
            for (Connection connection : busy) {
                try {
                    connection.abort(Runnable::run);
                } catch (SQLException e) {
                    LOG.debug("it is gone already", e);
                }
            }
        }

        @Override
        public boolean isAnswered() {
            return pool != null && pool.isAnswered();
        }

        @Override
        public void reconnected(boolean wasDown) {
            if (pool != null) { // it is created after the first read
                pool.reconnected(wasDown);
            }
        }
    }

    @Override
    <T extends @Nullable Object> T readNow(Function<Tx, T> work) {
        return attempt(() -> inTransaction(
                tx -> {
                    tx.handle().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
                    return work.apply(tx);
                },
                true));
    }

    @Override
    <T extends @Nullable Object> T snapshotNow(Function<Tx, T> work) {
        var alone = JdbiSetup.over(() -> PostgresLines.patient(settings), logger());
        try (Handle handle = alone.open()) {
            handle.begin();
            handle.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
            T result = work.apply(new Tx(handle, SqlDialect.POSTGRES, now()));
            handle.rollback();
            return result;
        } catch (JdbiException e) {
            throw PostgresFailures.translated(e, changes.isDown());
        }
    }

    @Override
    <T extends @Nullable Object> T writeNow(Function<Tx, T> work) {
        return attempt(() -> inTransaction(work, false));
    }

    private <T extends @Nullable Object> T inTransaction(Function<Tx, T> work, boolean reads) {
        if (INSIDE.get()) {
            throw nested();
        }
        var made = new ArrayList<DataChange>();
        try {
            T result = quota.run(CpuAccount.currentGroup(), () -> onConnection(work, reads, made));
            if (!forOtherNodes(made).isEmpty()) {
                changes.tell();
            }
            return result;
        } finally {
            announce(made);
        }
    }

    /// @param made receives the changes that were committed, or may have been
    private <T extends @Nullable Object> T onConnection(Function<Tx, T> work, boolean reads, List<DataChange> made) {
        if (changes.isDown()) {
            throw PostgresFailures.unreachable();
        }
        Tx tx;
        T result;
        var handle = jdbi.open();
        try {
            var connection = handle.getConnection();
            busy.add(connection);
            try {
                handle.begin();
                INSIDE.set(true);
                tx = new Tx(handle, SqlDialect.POSTGRES, now());
                result = work.apply(tx);
                tx.settle();
                AnnouncementRows.insert(tx, forOtherNodes(tx.changes()));
            } catch (RuntimeException | Error e) {
                PostgresLines.rollBack(handle, e);
                throw e;
            } finally {
                INSIDE.remove();
                busy.remove(connection);
            }
            made.addAll(tx.changes());
            commit(tx, handle, reads);
        } finally {
            PostgresLines.close(handle);
        }
        return result;
    }

    private static List<DataChange> forOtherNodes(List<DataChange> changes) {
        return changes.stream().filter(DataChange::isForAll).toList();
    }

    /// Commits. If the answer to a commit is lost, it may have happened: caches drop what it changed, and the work
    /// does not run again.
    private void commit(Tx tx, Handle handle, boolean reads) {
        busy.add(handle.getConnection());
        try {
            tx.sendCommit();
            handle.commit();
            pool.answered();
        } catch (JdbiException e) {
            if (!reads && PostgresFailures.mayHaveHappened(e)) {
                throw PostgresFailures.answerLost(e);
            }
            PostgresLines.rollBack(handle, e);
            throw e;
        } finally {
            busy.remove(handle.getConnection());
        }
    }

    private <T extends @Nullable Object> T attempt(Call<T> attempt) {
        long begin = System.nanoTime();
        for (int i = 1; ; i++) {
            if (changes.isDown()) {
                throw PostgresFailures.unreachable();
            }
            try {
                return attempt.run();
            } catch (JdbiException e) {
                // another transaction took a name after this one had checked that it is free
                boolean isLostRace = i == 1 && PostgresFailures.isUnique(e);
                boolean isLostLine = i < LINES && PostgresFailures.isLine(e) && isQuick(begin);
                if (!PostgresFailures.isCollision(e) && !isLostRace && !isLostLine) {
                    throw PostgresFailures.translated(e, changes.isDown());
                }
                if (isLostLine) {
                    PostgresFailures.noteRepeat(e);
                }
                if (i == ATTEMPTS) {
                    LOG.warn("gave up after {} serialization failures", ATTEMPTS, e);
                    throw new Problem.Unavailable("the database is too busy for this write; try again", 1).raise();
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L << Math.min(i, 6)));
            }
        }
    }

    private static boolean isQuick(long begin) {
        return System.nanoTime() - begin < QUICK && !Thread.currentThread().isInterrupted();
    }

    @Override
    public SqlDialect dialect() {
        return SqlDialect.POSTGRES;
    }

    @Override
    public Instant now() {
        return super.now().plusMillis(changes.clockOffsetMillis());
    }

    @Override
    public boolean isCurrent() {
        return changes.hasRead(ChangePoller.TRUSTED);
    }

    @Override
    public boolean isBehind() {
        return !changes.hasRead(ChangePoller.PATIENCE);
    }

    @Override
    public boolean isRefusing() {
        return changes.isDown();
    }

    @Override
    public int busy() {
        return pool.active();
    }

    @Override
    public int waiting() {
        return quota.waiting() + pool.waiting();
    }

    @Override
    public void close() {
        hints.close();
        changes.close();
        pool.close();
    }
}
