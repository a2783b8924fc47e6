package dev.sheaf.server.queue.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// However many jobs wait, ended or run: what hands them out, and what looks for those that are due, asks an index for
/// the few that it needs.
@Timeout(120)
class ClaimPlanTest {
    private static final int JOBS = 6_000;

    @TempDir
    private Path folder;

    private final UUID key = UUID.randomUUID();

    @ParameterizedTest
    @EnumSource
    void anIndexAloneDecides(Databases.Kind kind) throws Exception {
        try (var database = kind.open(folder, new SettableClock());
                var cpu = new CpuPool(2)) {
            var its = new QueueFixture(database, QueueFixture.organization(database), folder, cpu);
            var queue = its.queue(key, "{\"name\": \"Deep\"}");
            fill(its, queue);
            String holder = JobHolder.of(its.caller(key));

            assertThat(plans(database, tx -> ClaimRows.next(tx, queue.id(), holder)))
                    .singleElement()
                    .satisfies(plan -> assertThat(plan).contains("job_ready").doesNotContain("Sort", "TEMP B-TREE"));
            assertThat(plans(database, tx -> ClaimRows.ready(tx, its.organization, null)))
                    .singleElement()
                    .satisfies(plan -> assertThat(plan).contains("job_ready"));
            assertThat(plans(database, ClaimRows::anyQueued))
                    .singleElement()
                    .satisfies(plan -> assertThat(plan).contains("job_ready"));
            assertThat(plans(database, tx -> ClaimRows.due(tx, 100)))
                    .singleElement()
                    .satisfies(plan -> assertThat(plan).contains("job_due").doesNotContain("TEMP B-TREE"));
            assertThat(plans(database, tx -> ClaimRows.overdue(tx, 100)))
                    .singleElement()
                    .satisfies(plan -> assertThat(plan).contains("job_deadline").doesNotContain("TEMP B-TREE"));
            assertThat(plans(database, ClaimRows::nextDue))
                    .singleElement()
                    .satisfies(plan -> assertThat(plan).contains("job_due", "job_deadline"));
            assertThat(plans(database, tx -> ClaimRows.held(tx, queue.id())))
                    .singleElement()
                    .satisfies(plan -> assertThat(plan).containsPattern("INDEX job_of_status|job_held"));
        }
    }

    /// Two thirds wait, a sixth has ended, a twelfth is scheduled, as many are claimed.
    private void fill(QueueFixture its, QueueRow queue) {
        its.enqueue(key, queue, "{}");
        its.database.write(tx -> {
            tx.change("""
                    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < :count)
                    INSERT INTO job (id, organization_id, queue_id, habitat_id, job_type, status, priority, place, due_at,
                                     deadline_at, completed_at, last_attempt, created_at, created_by)
                    SELECT '00000000-0000-7000-8000-00000' || (1000000 + n), organization_id, queue_id, habitat_id, job_type,
                           CASE WHEN n % 12 < 8 THEN 'queued' WHEN n % 12 = 8 THEN 'scheduled'
                                WHEN n % 12 = 9 THEN 'claimed' ELSE 'completed' END,
                           priority, place - n, CASE WHEN n % 12 = 8 THEN place + n END,
                           CASE WHEN n % 12 = 9 THEN place + n END, CASE WHEN n % 12 > 9 THEN place - n END,
                           last_attempt, created_at, created_by
                    FROM number, (SELECT * FROM job) AS one
                    """, "count", JOBS);
            return tx.change("ANALYZE job");
        });
    }

    /// Of all the queries of some work.
    private static List<String> plans(Database database, Consumer<Tx> work) {
        return database.write(tx -> {
            var queries = new ArrayList<String>();
            var config = tx.handle().getConfig(SqlStatements.class);
            config.setSqlLogger(new SqlLogger() {
                @Override
                public void logBeforeExecution(StatementContext context) {
                    var parsed = context.getParsedSql();
                    if (parsed != null) {
                        queries.add(parsed.getSql());
                    }
                }
            });
            work.accept(tx);
            config.setSqlLogger(SqlLogger.NOP_SQL_LOGGER);
            return queries.stream().map(query -> plan(tx, query)).toList();
        });
    }

    /// With parameters that stand for any value.
    private static String plan(Tx tx, String query) {
        boolean isPostgres = tx.dialect() == SqlDialect.POSTGRES;
        try (var statement = tx.handle().getConnection().createStatement()) {
            String explain = "EXPLAIN QUERY PLAN " + query;
            if (isPostgres) {
                long parameters = query.chars().filter(c -> c == '?').count();
                statement.execute("SET LOCAL plan_cache_mode = force_generic_plan");
                statement.execute("PREPARE one AS " + numbered(query));
                explain = "EXPLAIN EXECUTE one"
                        + (parameters == 0
                                ? ""
                                : " (" + String.join(", ", Collections.nCopies((int) parameters, "NULL")) + ")");
            }
            var plan = new StringBuilder(query).append('\n');
            try (var rows = statement.executeQuery(explain)) {
                while (rows.next()) {
                    plan.append(rows.getString(isPostgres ? 1 : 4)).append('\n');
                }
            }
            if (isPostgres) {
                statement.execute("DEALLOCATE one");
            }
            return plan.toString();
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    private static String numbered(String query) {
        var numbered = new StringBuilder();
        int number = 0;
        for (char c : query.toCharArray()) {
            if (c == '?') {
                numbered.append('$').append(++number);
            } else {
                numbered.append(c);
            }
        }
        return numbered.toString();
    }
}
