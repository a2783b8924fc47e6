package dev.sheaf.engine.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sheaf.engine.db.outage.RootCause;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens connections to PostgreSQL. Every wait has a limit: for a connection, an answer, a lock and the next
/// statement. Parameters in the URL override the parameters set here.
public final class PostgresLines {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresLines.class);
    /// The name under which PostgreSQL shows a connection that listens.
    static final String LISTENER = "sheaf-listener";
    /// The name of one that reads the table of changes.
    static final String POLLER = "sheaf-changes";

    private static final Duration POOL_WAIT = Duration.ofSeconds(5);
    private static final int KEPT = 4; // connections that stay open when they are idle; others for ten minutes
    private static final Duration VALIDATION = Duration.ofSeconds(2);
    private static final int CONNECT_SECONDS = 2;
    private static final int LOGIN_SECONDS = 4;
    private static final int BRIEF_SECONDS = 2;
    private static final int STATEMENT_SECONDS = 20;
    private static final int ANSWER_SECONDS = STATEMENT_SECONDS + 3; // the server's own timeout comes first
    private static final int PATIENT_SECONDS = 600;
    private static final long LATELY = Duration.ofSeconds(3).toNanos(); // shorter than the notifier waits

    /// Server-side limits, so that a client that has gone leaves no locks or transactions behind. A limit that
    /// the operator has set for the role stays.
    private static final String LIMITS = """
            SELECT set_config(name, value, false)
            FROM (VALUES ('statement_timeout', '%ds'), ('lock_timeout', '10s'),
                         ('idle_in_transaction_session_timeout', '30s')) AS wanted (name, value)
            WHERE current_setting(name) = '0'
            """.formatted(STATEMENT_SECONDS);

    private PostgresLines() {}

    /// The connections of transactions. Thread-safe.
    static final class Pool implements AutoCloseable {
        private final PostgresDatabase.Settings settings;
        private final boolean prepares;
        private volatile HikariDataSource current;
        private volatile long answered = System.nanoTime();

        /// @param prepares whether statements may be prepared by name. Behind a pooler they may not, because the
        ///     next transaction may use another connection, which does not know them
        Pool(PostgresDatabase.Settings settings, boolean prepares) {
            this.settings = settings;
            this.prepares = prepares;
            this.current = made();
        }

        Connection connection() throws SQLException {
            var source = current;
            try {
                return source.getConnection();
            } catch (SQLException e) {
                if (source == current) {
                    throw e;
                }
                return current.getConnection(); // it was replaced meanwhile
            }
        }

        /// Drops connections that may be dead, each once it is free. After an outage it takes a new pool: the
        /// library's tries to connect become rarer while the database is down, up to one in five seconds.
        void reconnected(boolean wasDown) {
            var old = current;
            old.getHikariPoolMXBean().softEvictConnections();
            if (wasDown) {
                try {
                    current = made();
                    Thread.ofVirtual().start(() -> close(old));
                } catch (RuntimeException e) { // it is gone again
                    LOG.info("the connections to PostgreSQL stay as they are: {}", RootCause.of(e));
                }
            }
        }

        /// Closes a pool when its transactions have ended; the library itself would cut them off.
        private static void close(HikariDataSource old) {
            long begin = System.nanoTime();
            while (old.getHikariPoolMXBean().getActiveConnections() > 0
                    && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(ANSWER_SECONDS)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
            old.close();
        }

        /// Records that a transaction ended well.
        void answered() {
            answered = System.nanoTime();
        }

        /// Returns whether one did lately. Then the database is slow, not down.
        boolean isAnswered() {
            return System.nanoTime() - answered < LATELY;
        }

        int active() {
            return current.getHikariPoolMXBean().getActiveConnections();
        }

        int waiting() {
            return current.getHikariPoolMXBean().getThreadsAwaitingConnection();
        }

        @Override
        public void close() {
            current.close();
        }

        private HikariDataSource made() {
            var config = new HikariConfig();
            config.setPoolName("postgres");
            config.setJdbcUrl(settings.jdbcUrl());
            config.setUsername(settings.user());
            config.setPassword(settings.password().expose());
            config.setMaximumPoolSize(settings.connections());
            config.setMinimumIdle(Math.min(KEPT, settings.connections()));
            config.setConnectionTimeout(POOL_WAIT.toMillis());
            config.setValidationTimeout(VALIDATION.toMillis());
            config.setConnectionInitSql(LIMITS);
            // otherwise the transaction of the init query would continue into the first use
            config.setIsolateInternalQueries(true);
            config.setAutoCommit(false);
            waits(LOGIN_SECONDS, ANSWER_SECONDS).forEach(config::addDataSourceProperty);
            // The values of statements must not be logged.
            config.addDataSourceProperty(PGProperty.LOG_SERVER_ERROR_DETAIL.getName(), "false");
            if (!prepares) {
                config.addDataSourceProperty(PGProperty.PREPARE_THRESHOLD.getName(), "0");
            }
            return new HikariDataSource(config);
        }
    }

    /// Returns whether there is no pooler between this node and the server. A pooler reports its own process
    /// number at the start, because it must find the right process to cancel a statement. Testing NOTIFY would
    /// prove nothing: in transaction mode it may arrive by luck.
    static boolean isDirect(PostgresDatabase.Settings settings) {
        try (Connection connection = open(settings, settings.jdbcUrl(), waits(BRIEF_SECONDS, BRIEF_SECONDS))) {
            return isDirect(connection);
        } catch (SQLException e) {
            LOG.info(
                    "statements are not prepared, because it is unknown whether there is a pooler in front of"
                            + " PostgreSQL: {}",
                    RootCause.of(e));
            return false;
        }
    }

    static boolean isDirect(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT pg_backend_pid()")) {
            rows.next();
            return rows.getInt(1) == connection.unwrap(PGConnection.class).getBackendPID();
        }
    }

    /// Closes the connection. A failure here must not undo a commit or make its work run again.
    static void close(Handle handle) {
        try {
            handle.close();
        } catch (RuntimeException e) {
            LOG.info("a connection to PostgreSQL could not be released: {}", RootCause.of(e));
        }
    }

    static void rollBack(Handle handle, Throwable cause) {
        try {
            handle.rollback();
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    /// Opens a connection that takes the way of transactions and counts as dead after two seconds of silence.
    static Connection brief(PostgresDatabase.Settings settings) throws SQLException {
        var properties = waits(BRIEF_SECONDS, BRIEF_SECONDS);
        properties.put(PGProperty.APPLICATION_NAME.getName(), POLLER);
        var connection = open(settings, settings.jdbcUrl(), properties);
        if (isDirect(connection)) { // planning costs more than the reads of changes, which are the same each time
            connection.unwrap(PGConnection.class).setPrepareThreshold(2);
        }
        return connection;
    }

    /// Opens the connection on which a node listens. It may be silent for ever.
    static Connection listener(PostgresDatabase.Settings settings) throws SQLException {
        var properties = waits(BRIEF_SECONDS, 0);
        properties.put(PGProperty.APPLICATION_NAME.getName(), LISTENER);
        return open(settings, settings.listensAt(), properties);
    }

    /// Opens a connection for reads of any length.
    public static Connection patient(PostgresDatabase.Settings settings) throws SQLException {
        return open(settings, settings.jdbcUrl(), waits(LOGIN_SECONDS, PATIENT_SECONDS));
    }

    /// Returns the properties for migrations, which may wait for the migrations of another node.
    public static Map<String, String> forMigrations() {
        var properties = waits(LOGIN_SECONDS, PATIENT_SECONDS);
        properties.put(PGProperty.PREPARE_THRESHOLD.getName(), "0");
        return properties;
    }

    private static Connection open(PostgresDatabase.Settings settings, String url, Map<String, String> waits)
            throws SQLException {
        var properties = new Properties();
        properties.putAll(waits);
        PGProperty.USER.set(properties, settings.user());
        PGProperty.PASSWORD.set(properties, settings.password().expose());
        PGProperty.PREPARE_THRESHOLD.set(properties, 0);
        return DriverManager.getConnection(url, properties);
    }

    private static Map<String, String> waits(int login, int answer) {
        var waits = new HashMap<String, String>();
        waits.put(PGProperty.CONNECT_TIMEOUT.getName(), String.valueOf(CONNECT_SECONDS));
        waits.put(PGProperty.LOGIN_TIMEOUT.getName(), String.valueOf(login));
        waits.put(PGProperty.SOCKET_TIMEOUT.getName(), String.valueOf(answer));
        waits.put(PGProperty.TCP_KEEP_ALIVE.getName(), "true");
        return waits;
    }
}
