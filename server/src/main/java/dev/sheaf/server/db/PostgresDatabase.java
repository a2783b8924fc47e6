package dev.sheaf.server.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Secret;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// PostgreSQL 15 or newer, shared by any number of nodes. Writes run READ COMMITTED with row locks where order
/// matters, and again after a serialization failure or a deadlock, once more also where a unique index refuses: the
/// second time they see who was faster. Reads run on one snapshot.
public final class PostgresDatabase extends Database {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresDatabase.class);
    private static final int LINE_TIMEOUT_SECONDS = 2;
    private static final int ATTEMPTS = 12;
    private static final Set<String> TRANSIENT = Set.of("40001", "40P01");
    private static final String UNIQUE = "23505";
    private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);

    /// Where and as whom to connect.
    public record Settings(String jdbcUrl, String user, Secret password, int connections) {}

    private final Settings settings;
    private final HikariDataSource pool;
    private final Jdbi jdbi;
    private final PostgresChanges incoming;

    public PostgresDatabase(Settings settings, InstantSource clock) {
        super(clock);
        this.settings = settings;
        this.pool = pool(settings);
        this.jdbi = JdbiSetup.over(pool::getConnection);
        this.incoming = new PostgresChanges(settings, change -> announce(List.of(change)));
    }

    private static HikariDataSource pool(Settings settings) {
        var config = new HikariConfig();
        config.setPoolName("postgres");
        config.setJdbcUrl(settings.jdbcUrl());
        config.setUsername(settings.user());
        config.setPassword(settings.password().expose());
        config.setMaximumPoolSize(settings.connections());
        config.setConnectionTimeout(Duration.ofSeconds(8).toMillis());
        config.setAutoCommit(false);
        return new HikariDataSource(config);
    }

    @Override
    public <T extends @Nullable Object> T read(Function<Tx, T> work) {
        return attempt(() -> inTransaction(tx -> {
            tx.handle().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
            return work.apply(tx);
        }));
    }

    @Override
    public <T extends @Nullable Object> T snapshot(Function<Tx, T> work) {
        var alone = JdbiSetup.over(() -> DriverManager.getConnection(
                settings.jdbcUrl(), settings.user(), settings.password().expose()));
        try (Handle handle = alone.open()) {
            handle.begin();
            handle.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
            T result = work.apply(new Tx(handle, Dialect.POSTGRES, now()));
            handle.rollback();
            return result;
        } catch (JdbiException e) {
            throw unavailable(e);
        }
    }

    @Override
    public <T extends @Nullable Object> T write(Function<Tx, T> work) {
        return attempt(() -> inTransaction(work));
    }

    private <T extends @Nullable Object> T inTransaction(Function<Tx, T> work) {
        if (INSIDE.get()) {
            throw nested();
        }
        List<Change> changes;
        T result;
        try (Handle handle = jdbi.open()) {
            handle.begin();
            INSIDE.set(true);
            var tx = new Tx(handle, Dialect.POSTGRES, now());
            try {
                result = work.apply(tx);
                tx.settle();
                changes = tx.changes();
                for (Change change : changes) {
                    handle.createQuery("SELECT 1 FROM (SELECT pg_notify(:channel, :change)) AS sent")
                            .bind("channel", PostgresChanges.CHANNEL)
                            .bind("change", change.encode())
                            .mapTo(Integer.class)
                            .one();
                }
                handle.commit();
            } catch (RuntimeException | Error e) {
                handle.rollback();
                throw e;
            } finally {
                INSIDE.remove();
            }
        }
        announce(changes);
        return result;
    }

    private interface Attempt<T extends @Nullable Object> {
        T run();
    }

    private static <T extends @Nullable Object> T attempt(Attempt<T> attempt) {
        for (int i = 1; ; i++) {
            try {
                return attempt.run();
            } catch (JdbiException e) {
                String state = sqlState(e);
                boolean isLostRace = i == 1 && state.equals(UNIQUE); // what looks first whether a name is free
                if (!TRANSIENT.contains(state) && !isLostRace) {
                    throw unavailable(e);
                }
                if (i == ATTEMPTS) {
                    LOG.warn("gave up after {} serialization failures", ATTEMPTS, e);
                    throw new Problem.Unavailable("the database is too busy for this write", 1).raise();
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L << Math.min(i, 6)));
            }
        }
    }

    /// No connection, or one that breaks (class 08, 53, 57P), means: try again later. Anything else is a defect and
    /// stays as it is.
    private static RuntimeException unavailable(JdbiException e) {
        String state = sqlState(e);
        if (e instanceof ConnectionException
                || state.startsWith("08")
                || state.startsWith("53")
                || state.startsWith("57P")
                || state.isEmpty()) {
            LOG.error("the database cannot be reached", e);
            return new ProblemException(new Problem.Unavailable("the database cannot be reached now", 5));
        }
        return e;
    }

    private static String sqlState(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return sql.getSQLState() == null ? "" : sql.getSQLState();
            }
        }
        return "none";
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRES;
    }

    @Override
    public Instant now() {
        return super.now().plusMillis(incoming.clockOffsetMillis());
    }

    /// A connection on which silence means that the line is dead.
    static Connection connectToListen(Settings settings) throws SQLException {
        var properties = new Properties();
        PGProperty.USER.set(properties, settings.user());
        PGProperty.PASSWORD.set(properties, settings.password().expose());
        PGProperty.CONNECT_TIMEOUT.set(properties, LINE_TIMEOUT_SECONDS);
        PGProperty.SOCKET_TIMEOUT.set(properties, LINE_TIMEOUT_SECONDS);
        return DriverManager.getConnection(settings.jdbcUrl(), properties);
    }

    @Override
    public void close() {
        incoming.close();
        pool.close();
    }
}
