package dev.sheaf.server.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens connections to PostgreSQL. Every wait has a limit: for a connection, an answer, a lock and the next
/// statement. Parameters in the URL override those set here.
final class PostgresLines {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresLines.class);
    private static final Duration POOL_WAIT = Duration.ofSeconds(5);
    private static final Duration VALIDATION = Duration.ofSeconds(2);
    private static final int CONNECT_SECONDS = 2;
    private static final int LOGIN_SECONDS = 4;
    private static final int BRIEF_SECONDS = 2;
    private static final int STATEMENT_SECONDS = 20;
    private static final int ANSWER_SECONDS = STATEMENT_SECONDS + 3; // the server's own timeout comes first
    private static final int PATIENT_SECONDS = 600;

    /// Server-side limits, so that a client that has gone leaves nothing behind. A limit that the operator has set
    /// for the role stays.
    private static final String LIMITS = """
            SELECT set_config(name, value, false)
            FROM (VALUES ('statement_timeout', '%ds'), ('lock_timeout', '10s'),
                         ('idle_in_transaction_session_timeout', '30s')) AS wanted (name, value)
            WHERE current_setting(name) = '0'
            """.formatted(STATEMENT_SECONDS);

    private PostgresLines() {}

    /// @param prepares whether statements may be prepared by name. Behind a pooler they may not: the next
    /// transaction may use another connection, which does not have them
    static HikariDataSource pool(PostgresDatabase.Settings settings, boolean prepares) {
        var config = new HikariConfig();
        config.setPoolName("postgres");
        config.setJdbcUrl(settings.jdbcUrl());
        config.setUsername(settings.user());
        config.setPassword(settings.password().expose());
        config.setMaximumPoolSize(settings.connections());
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

    /// Returns whether there is no pooler between this node and the server. A pooler greets with a process number
    /// of its own, because it must find the right process to cancel a statement. Testing NOTIFY would prove
    /// nothing: in transaction mode it may arrive by luck.
    static boolean isDirect(PostgresDatabase.Settings settings) {
        try (Connection connection = brief(settings, settings.jdbcUrl());
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT pg_backend_pid()")) {
            rows.next();
            return rows.getInt(1) == connection.unwrap(PGConnection.class).getBackendPID();
        } catch (SQLException e) {
            LOG.info(
                    "no statement is prepared: it is not known whether a pooler stands before PostgreSQL: {}",
                    e.toString());
            return false;
        }
    }

    /// Opens a connection that counts as dead after two seconds of silence.
    static Connection brief(PostgresDatabase.Settings settings, String url) throws SQLException {
        return open(settings, url, waits(BRIEF_SECONDS, BRIEF_SECONDS));
    }

    /// Opens a connection for reads of any length.
    static Connection patient(PostgresDatabase.Settings settings) throws SQLException {
        return open(settings, settings.jdbcUrl(), waits(LOGIN_SECONDS, PATIENT_SECONDS));
    }

    /// Returns the properties for migrations, which may wait for those of another node.
    static Map<String, String> forMigrations() {
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
