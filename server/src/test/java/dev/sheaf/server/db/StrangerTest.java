package dev.sheaf.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a role may send that may do nothing but connect to the database.
@Timeout(120)
class StrangerTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String INSERT = "INSERT INTO announcement (change) VALUES ('REPOSITORY:acme/kit')";

    private final PostgresDatabase.Settings settings = Databases.postgres();
    private final AtomicInteger clearings = new AtomicInteger();
    private final AtomicInteger kits = new AtomicInteger();
    private PostgresDatabase node;
    private Connection stranger;

    @BeforeEach
    void start() throws SQLException {
        node = new PostgresDatabase(settings, InstantSource.system());
        node.onChange(this::changed);
        Eventually.within(SOON, node::isListening);
        stranger = DriverManager.getConnection(
                settings.jdbcUrl(), settings.user(), settings.password().expose());
    }

    private void changed(Change change) {
        switch (change.kind()) {
            case REPOSITORY -> kits.incrementAndGet();
            case EVERYTHING -> clearings.incrementAndGet();
            default -> throw new IllegalArgumentException(change.id());
        }
    }

    @AfterEach
    void stop() throws SQLException {
        stranger.close();
        node.close();
    }

    private void run(String sql) throws SQLException {
        try (var statement = stranger.createStatement()) {
            statement.execute(sql);
        }
    }

    private String ask(String query) {
        try (var statement = stranger.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return String.valueOf(rows.getString(1));
        } catch (SQLException e) {
            throw new AssertionError(query, e);
        }
    }

    private void assertHears() throws SQLException {
        run(INSERT);
        Eventually.within(SOON, () -> kits.get() > 0);
        Eventually.within(SOON, node::isListening);
    }

    @Test
    void aSnapshotOfManyTransactions() throws Exception {
        run("SELECT pg_notify('sheaf_beats', '1' || chr(10) || '1:1:1' || repeat(',1', 3900) || ' 1:1: 5')");

        assertHears();
    }

    /// Otherwise they would fill the memory.
    @Test
    void manyLongMessages() throws Exception {
        String listener = "SELECT CAST(max(backend_start) AS TEXT) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND application_name = '" + PostgresLines.LISTENER + "'";
        String before = ask(listener);
        int clearingsBefore = clearings.get();

        run("SELECT count(*) FROM (SELECT pg_notify('sheaf_beats', lpad(CAST(i AS TEXT), 7900, 'x'))"
                + " FROM generate_series(1, 10000) AS i) AS sent");

        Eventually.within(SOON, () -> node.isListening() && !before.equals(ask(listener)));
        assertHears();
        assertThat(clearings).as("caches stay").hasValue(clearingsBefore);
    }

    @Test
    void manyMessagesOfNonsense() throws Exception {
        int before = clearings.get();
        run("SELECT count(*) FROM (SELECT pg_notify('sheaf_changes', 'nonsense ' || i),"
                + " pg_notify('sheaf_changes', 'API_KEY:nonsense ' || i) FROM generate_series(1, 20000) AS i) AS sent");

        assertHears();
        assertThat(clearings.get() - before)
                .as("times that caches were cleared")
                .isBetween(1, 2_000);
    }
}
