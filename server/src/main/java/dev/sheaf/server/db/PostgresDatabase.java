package dev.sheaf.server.db;

import com.zaxxer.hikari.HikariDataSource;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.db.mapping.JdbiSetup;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
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
/// connection. While the database is known to be down, everything is refused at once, and calls that wait for an
/// answer are aborted.
public final class PostgresDatabase extends Database {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresDatabase.class);
    private static final int ATTEMPTS = 12;
    private static final int LINES = 3;
    /// A connection that breaks later than this was silent before, and the next one may be too.
    private static final long QUICK = Duration.ofSeconds(3).toNanos();

    private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);

    /// The connection settings.
    ///
    /// @param listenUrl an address that bypasses the pooler; null if there is no pooler
    public record Settings(
            String jdbcUrl,
            String user,
            Secret password,
            int connections,
            @Nullable String listenUrl) {
        public Settings(String jdbcUrl, String user, Secret password, int connections) {
            this(jdbcUrl, user, password, connections, null);
        }

        String listensAt() {
            return listenUrl == null ? jdbcUrl : listenUrl;
        }
    }

    private final Settings settings;
    private final Heartbeat heartbeat;
    private final PostgresChanges incoming;
    private final PostgresNotifier outgoing;
    private final HikariDataSource pool;
    private final Jdbi jdbi;
    private final Set<Connection> busy = ConcurrentHashMap.newKeySet();

    public PostgresDatabase(Settings settings, InstantSource clock) {
        super(clock);
        this.settings = settings;
        this.heartbeat = new Heartbeat(() -> announce(List.of(Change.EVERYTHING)), System::nanoTime);
        String own = "sheaf_node_" + UUID.randomUUID().toString().replace("-", "");
        this.outgoing = new PostgresNotifier(settings, heartbeat, own, new Lines());
        this.incoming =
                new PostgresChanges(settings, heartbeat, own, change -> announce(List.of(change)), outgoing::wake);
        incoming.start();
        outgoing.start();
        incoming.awaitFirst();
        this.pool = PostgresLines.pool(settings, PostgresLines.isDirect(settings));
        this.jdbi = JdbiSetup.over(pool::getConnection);
    }

    private final class Lines implements PostgresNotifier.Watcher {
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
        public void reconnected() {
            var made = pool;
            if (made != null) { // it is created after the first beats
                made.getHikariPoolMXBean().softEvictConnections();
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
        var alone = JdbiSetup.over(() -> PostgresLines.patient(settings));
        try (Handle handle = alone.open()) {
            handle.begin();
            handle.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
            T result = work.apply(new Tx(handle, Dialect.POSTGRES, now()));
            handle.rollback();
            return result;
        } catch (JdbiException e) {
            throw PostgresFailures.translated(e);
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
        Tx tx;
        T result;
        var handle = jdbi.open();
        try {
            var connection = handle.getConnection();
            busy.add(connection);
            try {
                handle.begin();
                INSIDE.set(true);
                tx = new Tx(handle, Dialect.POSTGRES, now());
                result = work.apply(tx);
                tx.settle();
                Announcements.insert(tx, told(tx.changes()));
            } catch (RuntimeException | Error e) {
                rollBack(handle, e);
                throw e;
            } finally {
                INSIDE.remove();
                busy.remove(connection);
            }
            commit(tx, handle, reads);
        } finally {
            close(handle);
        }
        outgoing.tell(told(tx.changes()));
        announce(tx.changes());
        return result;
    }

    private static List<Change> told(List<Change> changes) {
        return changes.stream().filter(Change::isForAll).toList();
    }

    /// Commits. If the answer to a commit is lost, it may have happened: caches drop what it changed, and the work
    /// does not run again.
    private void commit(Tx tx, Handle handle, boolean reads) {
        busy.add(handle.getConnection());
        try {
            tx.sendCommit();
            handle.commit();
        } catch (JdbiException e) {
            announce(tx.changes());
            if (!reads && PostgresFailures.mayHaveHappened(e)) {
                throw PostgresFailures.answerLost(e);
            }
            rollBack(handle, e);
            throw e;
        } finally {
            busy.remove(handle.getConnection());
        }
    }

    /// Closes the connection. A failure here must not undo a commit or make its work run again.
    private static void close(Handle handle) {
        try {
            handle.close();
        } catch (RuntimeException e) {
            LOG.info("a connection to PostgreSQL could not be given back: {}", e.toString());
        }
    }

    private static void rollBack(Handle handle, Throwable cause) {
        try {
            handle.rollback();
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    private <T extends @Nullable Object> T attempt(Call<T> attempt) {
        long begin = System.nanoTime();
        for (int i = 1; ; i++) {
            if (outgoing.isDown()) {
                throw PostgresFailures.unreachable();
            }
            try {
                return attempt.run();
            } catch (JdbiException e) {
                // another transaction took a name after this one had checked that it is free
                boolean isLostRace = i == 1 && PostgresFailures.isUnique(e);
                boolean isLostLine = i < LINES && PostgresFailures.isLine(e) && isQuick(begin);
                if (!PostgresFailures.isCollision(e) && !isLostRace && !isLostLine) {
                    throw PostgresFailures.translated(e);
                }
                if (i == ATTEMPTS) {
                    LOG.warn("gave up after {} serialization failures", ATTEMPTS, e);
                    throw new Problem.Unavailable("the database is too busy for this write", 1).raise();
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L << Math.min(i, 6)));
            }
        }
    }

    private static boolean isQuick(long begin) {
        return System.nanoTime() - begin < QUICK && !Thread.currentThread().isInterrupted();
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRES;
    }

    @Override
    public Instant now() {
        return super.now().plusMillis(incoming.clockOffsetMillis());
    }

    @Override
    public boolean isListening() {
        return heartbeat.isCurrent();
    }

    @Override
    public int busy() {
        return pool.getHikariPoolMXBean().getActiveConnections();
    }

    @Override
    public int waiting() {
        return pool.getHikariPoolMXBean().getThreadsAwaitingConnection();
    }

    @Override
    public void close() {
        outgoing.close();
        incoming.close();
        pool.close();
    }
}
