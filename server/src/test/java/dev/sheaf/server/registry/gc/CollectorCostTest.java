package dev.sheaf.server.registry.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.content.DeletionRows;
import dev.sheaf.server.testing.EveryStack;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.Test;

/// What the collector reads of a registry that holds much: by the database's own plans, with its own statistics.
/// `SHEAF_COLLECTOR_LINKS` sets how many links, and prints how long runs over them take.
@EveryStack
class CollectorCostTest extends CollectorFixture {
    private static final String NAMED = System.getenv("SHEAF_COLLECTOR_LINKS");
    private static final int LINKS = NAMED == null ? 20_000 : Integer.parseInt(NAMED);

    /// Half of the blobs in one manifest for each ten of them, half in none.
    private void fill() {
        var repository = repository("acme/kit");
        database.write(tx -> {
            tx.handle().execute("""
                    INSERT INTO blob (digest, size, state, created_at, checked_at)
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
                    SELECT 'sha256:%s' || substr(CAST(100000000000 + i AS TEXT), 2), 50000, 'ok', 0, 0 FROM n
                    """.formatted(LINKS, "0".repeat(53)));
            return tx.handle()
                    .createUpdate("""
                            INSERT INTO link (repository_id, blob_id, leased_until, look_at)
                            SELECT :repository, id, :until, :until FROM blob
                            """)
                    .bind("repository", repository.id())
                    .bind("until", keeping().leaseEnd(tx))
                    .execute();
        });
        database.write(tx -> {
            tx.handle()
                    .createUpdate("""
                            INSERT INTO manifest (repository_id, digest, media_type, size, state, leased_until,
                                                  look_at, created_at, checked_at)
                            SELECT :repository, 'sha512:%s' || substr(CAST(100000000000 + id AS TEXT), 2), 'x', 1, 'ok', :until, :until, 0, 0 FROM blob
                            WHERE id %% 20 = 0
                            """.formatted("0".repeat(117)))
                    .bind("repository", repository.id())
                    .bind("until", keeping().leaseEnd(tx))
                    .execute();
            tx.handle().execute("""
                    INSERT INTO manifest_blob (manifest_id, repository_id, blob_id)
                    SELECT m.id, l.repository_id, l.blob_id FROM link l
                    JOIN manifest m ON m.digest =
                        'sha512:%s' || substr(CAST(100000000000 + (l.blob_id / 20) * 20 AS TEXT), 2)
                    WHERE l.blob_id %% 20 < 10
                    """.formatted("0".repeat(117)));
            return tx.handle().execute("ANALYZE");
        });
    }

    @Test
    void aBatchReadsIndexesAndNoTable() {
        fill();
        clock.advance(Duration.ofDays(1));
        var from = new CollectorSweep.From(CollectorSweep.Cursor.START, database.now());

        var plans = new ArrayList<String>();
        plans.addAll(plansOf(tx -> new LinkSweep(keeping()).collect(tx, from)));
        plans.addAll(plansOf(tx -> new ManifestSweep(keeping()).collect(tx, from)));
        plans.addAll(plansOf(tx -> DeletionRows.due(tx, from.until(), "", 100)));
        plans.addAll(plansOf(tx -> DeletionRows.claim(tx, tx.now(), 100)));
        plans.addAll(plansOf(tx -> BlobRows.named(tx, List.of("0".repeat(32)))));
        plans.addAll(plansOf(tx -> StrayRows.queued(tx, List.of("0".repeat(32)))));

        assertThat(plans).hasSizeGreaterThan(6);
        assertThat(String.join("\n", plans)).contains("link_by_turn", "manifest_by_turn", "blob_by_part");
        assertThat(plans)
                .noneMatch(
                        plan -> plan.matches("(?s).*(Seq Scan on|SCAN) (l|m|b|link|manifest|blob|manifest_blob)\\b.*"));
    }

    @Test
    void aRunLooksAtWhatIsDueAndAtNothingTwice() {
        fill();
        assertThat(timed("nothing is due").done()).isZero();
        clock.advance(Duration.ofDays(1));

        var first = timed("everything is due");
        assertThat(first.done()).isEqualTo(LINKS + LINKS / 20);
        assertThat(first.counts()).containsEntry("linksRemoved", LINKS / 2L + 9);

        clock.advance(Duration.ofDays(2));
        assertThat(timed("what is left was looked at").done()).isZero();
    }

    private dev.sheaf.engine.work.TaskRun.Report timed(String what) {
        long begin = System.nanoTime();
        var report = collect();
        if (NAMED != null) {
            System.out.printf(
                    "%s, %d links, %s: %d ms, %d looked at, %s%n",
                    stack, LINKS, what, (System.nanoTime() - begin) / 1_000_000, report.done(), report.counts());
        }
        return report;
    }

    /// The plans of all the queries of some work.
    private List<String> plansOf(Consumer<Tx> work) {
        return database.write(tx -> {
            var queries = new ArrayList<String>();
            var config = tx.handle().getConfig(SqlStatements.class);
            config.setSqlLogger(new SqlLogger() {
                @Override
                public void logBeforeExecution(StatementContext context) {
                    var parsed = context.getParsedSql();
                    if (parsed != null && parsed.getSql().startsWith("SELECT")) {
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
                statement.execute("SET LOCAL plan_cache_mode = force_generic_plan");
                statement.execute("PREPARE one AS " + numberedParameters(query));
                long parameters = query.chars().filter(c -> c == '?').count();
                explain = "EXPLAIN EXECUTE one (" + String.join(", ", Collections.nCopies((int) parameters, "NULL"))
                        + ")";
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

    private static String numberedParameters(String query) {
        var numbered = new StringBuilder();
        int count = 0;
        for (char c : query.toCharArray()) {
            numbered.append(c == '?' ? "$" + ++count : String.valueOf(c));
        }
        return numbered.toString();
    }
}
