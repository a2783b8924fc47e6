package dev.sheaf.engine.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.schema.Migrations;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A PostgreSQL of its own, of which a process is killed, or whose room for notifications is full.
@Timeout(180)
@SuppressWarnings("NullAway.Init") // set before each test
class CrashedServerTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String INSERT = "INSERT INTO announcement (change) VALUES ('REPOSITORY:acme/%s')";

    private EmbeddedPostgres server;
    private PostgresDatabase.Settings settings;

    @BeforeEach
    void start() {
        try {
            server = EmbeddedPostgres.builder()
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("wal_writer_delay", "10s") // of transactions that do not wait for it
                    .setServerConfig("max_notify_queue_pages", "64")
                    .start();
        } catch (IOException | IllegalStateException e) {
            Assumptions.abort("PostgreSQL does not start here: " + e);
        }
        settings = Databases.at(server.getJdbcUrl("postgres", "postgres"), "postgres", Secret.of("postgres"), 4);
        Migrations.migrate(settings);
    }

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                settings.jdbcUrl(), settings.user(), settings.password().expose());
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int process(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT pg_backend_pid()")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static boolean isBroken(Connection connection) {
        try {
            run(connection, "SELECT 1");
            return false;
        } catch (SQLException e) {
            return true;
        }
    }

    private boolean isDone(String sql) {
        try (var connection = connect()) {
            run(connection, sql);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /// The server forgets transactions that it has not written, and gives their numbers again, without a new start.
    @Test
    void aChangeWithTheNumberOfALostTransactionIsHeard() throws Exception {
        var heard = new LinkedBlockingQueue<DataChange>();
        try (var node = new PostgresDatabase(settings, InstantSource.system());
                var lost = connect();
                var other = connect()) {
            node.onChange(heard::add);
            run(lost, "SET synchronous_commit = off");
            for (int i = 0; i < 20; i++) {
                run(lost, INSERT.formatted("lost"));
            }
            run(lost, INSERT.formatted("last"));
            poll(heard, "last");
            heard.clear();

            ProcessHandle.of(process(lost)).orElseThrow().destroyForcibly();
            Eventually.within(SOON, () -> isBroken(other));
            Eventually.within(SOON, () -> isDone(INSERT.formatted("kit")));

            poll(heard, "kit");
            Eventually.within(SOON, node::isCurrent);
        }
    }

    /// Waits until a change is announced, or everything is.
    private static void poll(LinkedBlockingQueue<DataChange> heard, String bundle) throws InterruptedException {
        DataChange next;
        do {
            next = heard.poll(SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(next).isNotNull();
        } while (!next.id().equals("acme/" + bundle) && !next.equals(DataChange.EVERYTHING));
    }

    /// Any role can fill it, while a process that listens is in a transaction.
    @Test
    void aDatabaseWithoutRoomForNotificationsIsNotDown() throws Exception {
        try (var node = new PostgresDatabase(settings, InstantSource.system());
                var other = new PostgresDatabase(settings, InstantSource.system());
                var holds = connect();
                var fills = connect()) {
            run(holds, "LISTEN something");
            holds.setAutoCommit(false);
            run(holds, "SELECT 1");
            Eventually.within(SOON, () -> isFull(fills));

            var heard = new LinkedBlockingQueue<DataChange>();
            other.onChange(heard::add);
            for (int i = 0; i < 3; i++) {
                node.write(tx -> {
                    tx.changed(new DataChange(DataChange.Kind.REPOSITORY, "acme/kit"));
                    return 1;
                });
                poll(heard, "kit");
            }

            assertThat(node.isRefusing()).isFalse();
            assertThat(node.isBehind()).isFalse();
            holds.rollback();
        }
    }

    private static boolean isFull(Connection connection) {
        try {
            run(connection, "SELECT pg_notify('something', repeat('x', 7000) || i) FROM generate_series(1, 10) AS i");
            return false;
        } catch (SQLException e) {
            return true;
        }
    }
}
