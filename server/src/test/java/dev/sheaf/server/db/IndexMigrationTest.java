package dev.sheaf.server.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/// A migration that replaces indexes while others use the tables, and after it was cut off.
@Timeout(100)
class IndexMigrationTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final List<String> TABLES =
            List.of("audit", "version", "manifest_blob", "blob", "manifest", "usage_delta", "link", "event", "asset");
    private static final List<String> NEW = List.of(
            "asset_by_id",
            "audit_by_actor_span",
            "audit_by_organization_span",
            "audit_by_seq",
            "audit_by_span",
            "blob_by_checked",
            "event_by_id",
            "event_by_span",
            "link_by_blob_and_repository",
            "link_by_repository",
            "link_by_turn",
            "manifest_blob_by_blob",
            "manifest_by_checked",
            "manifest_by_turn",
            "usage_delta_by_owner",
            "version_by_publication",
            "version_in_order");
    private static final List<String> OLD = List.of(
            "asset_pkey",
            "audit_by_actor",
            "audit_by_organization",
            "audit_pkey",
            "audit_seq_key",
            "blob_by_check",
            "event_pkey",
            "link_by_blob",
            "link_by_look",
            "link_pkey",
            "manifest_blob_by_link",
            "manifest_by_check",
            "manifest_by_look",
            "usage_delta_by_organization",
            "version_by_order",
            "version_by_rank",
            "version_by_time");
    /// The first that is built, by a migration whose successor drops it again.
    private static final String FIRST = "audit_by_organization_time";
    private static final String BUILDS =
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'"
                    + " AND wait_event_type = 'Lock' AND query LIKE 'CREATE INDEX CONCURRENTLY%'";
    private static final String LOOKS = """
            SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle'
            AND query LIKE '%pg_stat_progress_create_index%'""";
    private static final String MOVES = """
            SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
            AND wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE audit DROP%'""";

    private static final String KEYS = """
            SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
            AND wait_event_type = 'Lock' AND query LIKE '%TABLE link DROP%'""";

    private static final String WAITS = """
            SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'""";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private PostgresDatabase.Settings settings;
    private Connection other;

    @BeforeEach
    void openDatabase() throws SQLException {
        settings = Databases.emptyPostgres();
        other = PostgresLines.patient(settings);
    }

    @AfterEach
    void closeDatabase() throws SQLException {
        other.close();
        execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
        threads.close();
    }

    /// Brings the database to the schema before the one that replaces indexes.
    private void migrateTo19() {
        migrateTo("19");
    }

    private void migrateTo(String version) {
        Flyway.configure()
                .dataSource(
                        settings.jdbcUrl(), settings.user(), settings.password().expose())
                .locations("classpath:db")
                .placeholders(Dialect.POSTGRES.placeholders())
                .target(version)
                .load()
                .migrate();
    }

    private Future<?> migration() {
        return threads.submit(() -> Migrations.migrate(settings));
    }

    private void execute(String sql) {
        try (var connection = PostgresLines.patient(settings)) {
            execute(connection, sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> list(String sql) {
        try (var connection = PostgresLines.patient(settings);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            var list = new ArrayList<String>();
            while (rows.next()) {
                list.add(rows.getString(1));
            }
            return list;
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    private List<String> indexes(String condition) {
        return list("SELECT relname FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE (" + condition
                + ") AND relname IN ('" + FIRST + "', '" + String.join("', '", NEW) + "', '" + String.join("', '", OLD)
                + "') ORDER BY relname COLLATE \"C\"");
    }

    private List<String> steps(Runnable migration) {
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        var logger = (Logger) LoggerFactory.getLogger(IndexMigration.class);
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        try {
            migration.run();
        } finally {
            logger.setLevel(null);
            logger.detachAppender(lines);
        }
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void aNewDatabaseLogsNoSteps() {
        assertThat(steps(() -> Migrations.migrate(settings))).isEmpty();
        assertDone();
    }

    @Test
    void anUpgradeLogsItsSteps() {
        migrateTo19();

        assertThat(steps(() -> Migrations.migrate(settings)))
                .anyMatch(line -> line.startsWith("CREATE UNIQUE INDEX CONCURRENTLY"));
    }

    private void assertDone() {
        assertThat(indexes("indisvalid")).isEqualTo(NEW);
        assertThat(indexes("NOT indisvalid")).isEmpty();
        assertThat(list("SELECT success FROM flyway_schema_history WHERE version IN ('20', '21', '22')"))
                .containsExactly("t", "t", "t");
    }

    /// Begins a transaction that has written to the tables.
    private void use(String lock) throws SQLException {
        execute(other, "SET idle_in_transaction_session_timeout = 0");
        other.setAutoCommit(false);
        execute(other, "LOCK TABLE " + String.join(", ", TABLES) + " IN " + lock + " MODE");
    }

    /// Writes to the tables as another node does. Fails after a while behind a lock.
    private void write(String id) {
        execute("SET lock_timeout = '8s'; SET session_replication_role = replica;"
                + "INSERT INTO audit (id, actor, actor_name, action, subject, outcome, times, created_at)"
                + " VALUES ('" + id + "', 'x', '', '', '', '', 1, 1);"
                + "INSERT INTO blob (digest, size, state, created_at, checked_at) VALUES ('" + id + "', 1, 'x', 1, 1);"
                + "INSERT INTO version (id, bundle_id, version, precedence, sort_key, stable, manifest_id, state, size,"
                + " published_at) VALUES ('" + id + "', 'x', '1', '" + id + "', '" + id + "', 1, 1, 'x', 1, 1);"
                + "UPDATE manifest SET size = size; DELETE FROM manifest_blob; DELETE FROM usage_delta");
    }

    @Test
    void othersWriteWhileItWaitsLongerThanTheRoleMay() throws Exception {
        migrateTo19();
        for (String limit : List.of("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")) {
            execute("ALTER DATABASE " + list("SELECT current_database()").getFirst() + " SET " + limit + " = '2s'");
        }
        use("ROW EXCLUSIVE");
        var migration = migration();
        Eventually.within(
                SOON,
                () -> !list(BUILDS + " AND now() - query_start > interval '2500 ms'")
                        .isEmpty());

        write("during");

        assertThat(list(BUILDS)).hasSize(1);
        assertThat(indexes("indisvalid")).as("all of them still serve").containsAll(OLD);
        assertThat(migration.isDone()).isFalse();
        other.commit();
        migration.get();
        assertDone();
        assertThat(list("SELECT id FROM audit")).containsExactly("during");
    }

    /// Dropping a constraint needs the table alone.
    @Test
    void aReaderDoesNotMakeOthersWaitForLong() throws Exception {
        migrateTo19();
        Migrations.migrate(settings);
        execute("ALTER TABLE audit ADD CONSTRAINT audit_seq_key UNIQUE (seq)");
        execute("DELETE FROM flyway_schema_history WHERE version IN ('20', '21', '22')");
        use("ACCESS SHARE");
        var migration = migration();
        Eventually.within(SOON, () -> !list(MOVES).isEmpty());

        write("behind it");

        assertThat(indexes("indisvalid")).as("it was not in time").contains("audit_seq_key");
        other.commit();
        migration.get();
        assertDone();
    }

    /// PostgreSQL still runs the last statement of a node that was killed.
    @ParameterizedTest
    @CsvSource({"audit, id", "link, 'repository_id, blob_id'"})
    void anotherConnectionDropsAConstraintMeanwhile(String table, String columns) throws Exception {
        Migrations.migrate(settings);
        execute("ALTER TABLE %1$s ADD CONSTRAINT %1$s_pkey UNIQUE (%2$s)".formatted(table, columns));
        execute("DELETE FROM flyway_schema_history WHERE version = '22'");
        other.setAutoCommit(false);
        execute(other, "ALTER TABLE %1$s DROP CONSTRAINT %1$s_pkey".formatted(table));
        var migration = migration();
        Eventually.within(SOON, () -> !list(WAITS).isEmpty());

        other.commit();

        migration.get();
        assertDone();
    }

    @Test
    void continuesAfterItWasCutOff() throws Exception {
        migrateTo19();
        use("ROW EXCLUSIVE");
        var cutOff = migration();
        Eventually.within(SOON, () -> !list(BUILDS).isEmpty());
        execute("SELECT pg_terminate_backend(" + list(BUILDS).getFirst() + ")");
        assertThatThrownBy(cutOff::get).hasMessageContaining("migration 20 stopped: ");
        assertThat(indexes("NOT indisvalid")).containsExactly(FIRST);
        assertThat(Migrations.plan(settings).pending())
                .containsExactly("20 (shorter indexes)", "21 (fewer index entries)", "22 (shorter keys)");
        other.commit();

        Migrations.migrate(settings);

        assertDone();
    }

    /// PostgreSQL notices that a node has died only when it answers it.
    @Test
    void waitsForTheBuildOfANodeThatDied() throws Exception {
        migrateTo19();
        use("ROW EXCLUSIVE");
        var orphan = threads.submit(
                () -> execute("CREATE INDEX CONCURRENTLY " + FIRST + " ON audit (organization_id, created_at)"));
        Eventually.within(SOON, () -> list(BUILDS).size() == 1);
        var migration = migration();
        Eventually.within(SOON, () -> !list(LOOKS).isEmpty());
        other.commit();

        var steps = steps(() -> assertThatCode(migration::get).doesNotThrowAnyException());

        orphan.get();
        assertThat(steps).noneMatch(step -> step.startsWith("CREATE INDEX") && step.contains(FIRST));
        assertDone();
    }

    /// Each may be cut off between any two steps.
    @Test
    void continuesFromEveryStep() throws Exception {
        for (int i = 0; i < OLD.size(); i++) {
            try (var connection = PostgresLines.patient(settings)) {
                execute(connection, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
            }
            migrateTo19();
            execute("CREATE INDEX audit_by_actor_time ON audit (actor, created_at)");
            execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'audit_by_actor_time'::regclass");
            for (String old : OLD.subList(0, i)) {
                cutOff(old);
            }

            Migrations.migrate(settings);

            assertDone();
        }
    }

    private void cutOff(String old) {
        if (old.equals("link_pkey")) {
            return; // goes in the transaction that replaces it
        }
        String table = old.substring(0, old.indexOf('_'));
        execute(
                old.endsWith("key")
                        ? "ALTER TABLE " + table + " DROP CONSTRAINT " + old
                        : "UPDATE pg_index SET indisvalid = false WHERE indexrelid = '" + old + "'::regclass");
    }

    /// The foreign keys to links are never missing, also while the migration waits for a reader of one of the tables.
    @Test
    void linksGetAnotherKey() throws Exception {
        migrateTo("21");
        execute("SET session_replication_role = replica; INSERT INTO link VALUES (1, 1, 1, 1), (1, 2, 1, 1);"
                + "INSERT INTO manifest_blob VALUES (1, 1, 1)");
        other.setAutoCommit(false);
        execute(other, "LOCK TABLE manifest_blob IN ACCESS SHARE MODE");
        var migration = migration();
        Eventually.within(SOON, () -> !list(KEYS).isEmpty());

        execute("SET lock_timeout = '8s'; DELETE FROM link WHERE blob_id = 2");

        assertThat(indexes("indisvalid")).contains("link_pkey");
        assertThatThrownBy(() -> execute("DELETE FROM link")).hasStackTraceContaining("foreign key");
        other.commit();
        migration.get();
        assertDone();
        assertThatThrownBy(() -> execute("DELETE FROM link")).hasStackTraceContaining("foreign key");
        assertThat(list("SELECT conname FROM pg_constraint WHERE NOT convalidated"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nodesThatStartAtTheSameTimeAllSucceed(boolean isNew) throws Exception {
        if (!isNew) {
            migrateTo19();
            use("ROW EXCLUSIVE");
        }
        var nodes = List.of(migration(), migration(), migration());
        if (!isNew) {
            Eventually.within(SOON, () -> !list(BUILDS).isEmpty());
            other.commit();
        }

        for (Future<?> node : nodes) {
            node.get();
        }

        assertDone();
    }
}
