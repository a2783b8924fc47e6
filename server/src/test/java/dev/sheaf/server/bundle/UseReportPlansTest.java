package dev.sheaf.server.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.key.Scope;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.testing.Databases;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What the report on use costs: a few statements, none of which walks through days of pulls.
@SuppressWarnings("NullAway.Init") // set before each test
class UseReportPlansTest {
    private static final UUID ORGANIZATION = new UUID(9, 9);
    private static final int BUNDLES = 1_000;
    private static final int VERSIONS = 10; // of a bundle
    private static final int DAYS = 365;

    @TempDir
    Path folder;

    private Database database;

    @BeforeEach
    void open() {
        database = Databases.Kind.SQLITE.open(folder, InstantSource.system());
    }

    @AfterEach
    void close() {
        database.close();
    }

    private List<String> statements(Tx tx, Consumer<Tx> work) {
        var settings = tx.handle().getConfig(SqlStatements.class);
        var executed = new ArrayList<String>();
        settings.setSqlLogger(new SqlLogger() {
            @Override
            public void logAfterExecution(StatementContext context) {
                executed.add(context.getParsedSql().getSql());
            }
        });
        work.accept(tx);
        settings.setSqlLogger(SqlLogger.NOP_SQL_LOGGER);
        return executed;
    }

    private static List<String> plan(Tx tx, String sql) {
        var steps = new ArrayList<String>();
        try (var statement = tx.handle().getConnection().prepareStatement("EXPLAIN QUERY PLAN " + sql);
                var rows = statement.executeQuery()) {
            while (rows.next()) {
                steps.add(rows.getString("detail"));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return steps;
    }

    @ParameterizedTest
    @EnumSource(UseReport.Kind.class)
    void aPageTakesAFewStatementsThatLookUpDaysByTheirKey(UseReport.Kind kind) {
        fill(3, 2, 100);

        database.write(tx -> {
            var executed =
                    statements(tx, work -> UseReport.list(work, ORGANIZATION, kind, UseReport.Place.parse(null), 10));
            assertThat(executed).hasSizeBetween(1, 3);
            for (String sql : executed) {
                assertThat(plan(tx, sql))
                        .as(sql)
                        .allSatisfy(step -> assertThat(step)
                                .doesNotMatch("SCAN (d|v|l|version_day|download_day|version_credential_day)\\b.*")
                                .doesNotMatch("SEARCH d USING .*\\(day[<>=].*"));
            }
            return 1;
        });
    }

    @Test
    @Tag("measure")
    void ofAYearOfPullsTheReportTakesLessThanAFifthOfASecond() {
        fill(BUNDLES, VERSIONS, DAYS);
        var caller = new Caller.Known(
                new Credential.Key(UUID.randomUUID(), "k", "h", null),
                ORGANIZATION,
                Scope.ADMIN,
                CredentialRestrictions.NONE,
                Grant.ALL,
                null);
        var report = new UseReport(database);

        for (var kind : UseReport.Kind.values()) {
            report.list(caller, kind, UseReport.Place.parse(null), 100); // warm
            long start = System.nanoTime();
            int found =
                    report.list(caller, kind, UseReport.Place.parse(null), 101).size();
            var took = Duration.ofNanos(System.nanoTime() - start);
            System.out.println(kind + ": " + found + " rows in " + took.toMillis() + " ms");
            var last = UseReport.Place.parse("n b" + (BUNDLES - 1) + " ");
            start = System.nanoTime();
            report.list(caller, kind, last, 101);
            System.out.println("  the last page: "
                    + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
            assertThat(took).isLessThan(Duration.ofMillis(200));
        }
    }

    /// Makes bundles of which each tenth is unused, and whose first versions are pulled each day.
    private void fill(int bundles, int versions, int days) {
        database.write(tx -> {
            var handle = tx.handle();
            long today = PullCounts.day(tx.now());
            handle.execute(
                    "INSERT INTO organization (id, handle, name, created_at) VALUES (?, 'o', 'O', 0)",
                    ORGANIZATION.toString());
            handle.execute(
                    "INSERT INTO namespace (name, display_name, organization_id, created_at) VALUES ('n', 'N', ?, 0)",
                    ORGANIZATION.toString());
            String ids = "WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < " + bundles
                    + "), w(m) AS (SELECT 0 UNION ALL SELECT m + 1 FROM w WHERE m < " + (versions - 1)
                    + "), t(day) AS (SELECT " + (today - days + 1) + " UNION ALL SELECT day + 1 FROM t WHERE day < "
                    + today + ") ";
            handle.execute("INSERT INTO repository (id, namespace, name, visibility, created_at) " + ids
                    + "SELECT n, 'n', 'b' || n, 'private', 0 FROM i");
            handle.execute("INSERT INTO bundle (id, repository_id, name, source_type, created_at) " + ids
                    + "SELECT 'b' || n, n, 'B', 'x', 0 FROM i");
            handle.execute("INSERT INTO manifest (id, repository_id, digest, media_type, size, state, leased_until,"
                    + " look_at, created_at, checked_at) " + ids
                    + "SELECT n * 100 + m, n, 'd' || n || '.' || m, 'm', 1, 'ok', 0, 0,"
                    + " 0, 0 FROM i, w");
            handle.execute(
                    "INSERT INTO version (id, bundle_id, version, precedence, sort_key, stable, manifest_id, state, size,"
                            + " published_at) " + ids + "SELECT " + id("n", "m")
                            + ", 'b' || n, '1.' || m || '.0', '1.' || m || '.0', '1.' || m, 1, n * 100 + m, 'published', 1, 0 FROM i, w");
            handle.execute("INSERT INTO download_day (repository_id, day, downloads, own) " + ids
                    + "SELECT n, day, 9, 3 FROM i, t WHERE n % 10 > 0");
            handle.execute("INSERT INTO version_day (version_id, day, downloads, own) " + ids + "SELECT " + id("n", "0")
                    + ", day, 9, 3 FROM i, t WHERE n % 10 > 0");
            handle.execute("INSERT INTO version_client_day (version_id, day, client, downloads, own) " + ids + "SELECT "
                    + id("n", "0") + ", day, client, 3, 1 FROM i, t, (SELECT 'git' AS client UNION ALL SELECT 'oci'"
                    + " UNION ALL SELECT 'sheaf') WHERE n % 10 > 0");
            handle.execute(
                    "INSERT INTO version_credential_day (version_id, day, credential, organization_id, client) " + ids
                            + "SELECT " + id("n", "0")
                            + ", day, 'key:' || (n % 50), ?, 'git' FROM i, t WHERE n % 10 > 0",
                    ORGANIZATION.toString());
            return 1;
        });
    }

    private static String id(String bundle, String version) {
        return "printf('00000000-0000-0000-%04d-%012d', " + version + ", " + bundle + ")";
    }
}
