package dev.sheaf.engine.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Databases;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How what one node commits comes to another.
@Timeout(120)
class AnnouncementRowsTest {
    private static final String INSERT = "INSERT INTO announcement (change) VALUES ('REPOSITORY:acme/%s')";

    private final PostgresDatabase.Settings settings = Databases.postgres();
    private final PostgresDatabase database = new PostgresDatabase(settings, InstantSource.system());
    private final BlockingQueue<DataChange> heard = new LinkedBlockingQueue<>();

    @BeforeEach
    void listen() {
        database.onChange(heard::add);
    }

    @AfterEach
    void close() {
        database.close();
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

    private static DataChange of(String bundle) {
        return new DataChange(DataChange.Kind.REPOSITORY, "acme/" + bundle);
    }

    private DataChange next() throws InterruptedException {
        var change = DataChange.EVERYTHING;
        while (change.equals(DataChange.EVERYTHING)) { // of when it begins to listen
            change = heard.poll(20, TimeUnit.SECONDS);
            assertThat(change).as("heard").isNotNull();
        }
        return change;
    }

    @Test
    void ofANodeThatIsKilledBehindItsCommitAreHeardAllTheSame() throws Exception {
        try (var killed = connect()) {
            run(killed, INSERT.formatted("kit"));
        }

        assertThat(next()).isEqualTo(of("kit"));
    }

    /// Numbers of a sequence would be passed over.
    @Test
    void ofATransactionThatBeganEarlierAndEndsLaterAreHeard() throws Exception {
        try (var slow = connect();
                var quick = connect()) {
            slow.setAutoCommit(false);
            run(slow, INSERT.formatted("slow"));
            run(quick, INSERT.formatted("quick"));
            assertThat(next()).isEqualTo(of("quick"));
            run(quick, INSERT.formatted("later"));
            assertThat(next()).as("and the first one not again").isEqualTo(of("later"));

            slow.commit();

            assertThat(next()).isEqualTo(of("slow"));
        }
    }

    @Test
    void ofATransactionThatIsUndoneAreNotHeard() throws Exception {
        try (var other = connect()) {
            other.setAutoCommit(false);
            run(other, INSERT.formatted("undone"));
            other.rollback();
            run(other, INSERT.formatted("kit"));
            other.commit();
        }

        assertThat(next()).isEqualTo(of("kit"));
    }

    @Test
    void areDeletedOnceAllTransactionsOfTheirTimeHaveEnded() throws Exception {
        try (var open = connect();
                var other = connect()) {
            run(other, INSERT.formatted("one"));
            open.setAutoCommit(false);
            run(open, INSERT.formatted("two"));
            run(other, INSERT.formatted("three"));

            ChangePoller.prune(other, text(other, "SELECT CAST(pg_current_snapshot() AS TEXT)"));
            assertThat(text(other, "SELECT string_agg(change, ' ' ORDER BY xact) FROM announcement"))
                    .isEqualTo("REPOSITORY:acme/three");
            open.commit();
            ChangePoller.prune(other, text(other, "SELECT CAST(pg_current_snapshot() AS TEXT)"));

            assertThat(text(other, "SELECT CAST(count(*) AS TEXT) FROM announcement"))
                    .isEqualTo("0");
        }
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
