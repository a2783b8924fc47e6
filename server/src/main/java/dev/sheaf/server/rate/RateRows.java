package dev.sheaf.server.rate;

import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The use that nodes report, and the rounds that sum it up for all nodes. The statements about rounds need
/// PostgreSQL.
final class RateRows {
    private static final int ROUNDS_KEPT = 100;
    /// A snapshot that sees no transaction.
    private static final String BEFORE_ALL = "1:1:";

    /// Selects the rows of transactions that the last round did not see. If the last round's snapshot is newer
    /// than the current one, it was copied from another database server; then all rows count as new.
    private static final String NEW = """
            FROM rate_fold f
                 CROSS JOIN LATERAL (SELECT CASE
                     WHEN pg_snapshot_xmax(CAST(f.upto AS pg_snapshot)) > pg_snapshot_xmax(pg_current_snapshot())
                     THEN CAST(:all AS pg_snapshot) ELSE CAST(f.upto AS pg_snapshot) END AS seen) AS s
                 JOIN rate_use u ON u.xact >= pg_snapshot_xmin(s.seen)
                     AND NOT pg_visible_in_snapshot(u.xact, s.seen)
            """;

    private static final String SUM = """
            WITH sums AS (
                SELECT u.policy || ' ' || u.holder || ' ' || sum(u.taken) AS line
                %s
                WHERE u.written_at >= :old GROUP BY u.policy, u.holder),
            told AS (
                INSERT INTO rate_round (number, uses, written_at)
                SELECT :number, coalesce(string_agg(line, chr(10)), ''), :now FROM sums)
            UPDATE rate_fold SET round = :number, upto = CAST(pg_current_snapshot() AS TEXT), written_at = :now
            WHERE id = 1
            """.formatted(NEW);

    /// The use of a holder on a node.
    ///
    /// @param number counts up on each node, from 1
    record Row(String node, long number, String policy, String holder, long taken) {}

    /// The state of the summing-up.
    ///
    /// @param round the number of the last round; 0 if there is none
    /// @param waiting whether there are reports that no round contains
    record Fold(long round, Instant writtenAt, boolean waiting) {}

    /// @param uses a line for each policy and holder, with the sum of their use
    record Round(long number, String uses) {}

    private RateRows() {}

    static void insert(Tx tx, List<Row> rows) {
        tx.each("""
                        INSERT INTO rate_use (node, number, policy, holder, taken, written_at)
                        VALUES (:node, :number, :policy, :holder, :taken, :now)
                        """, rows);
    }

    /// Returns the state; empty if it was never written, or was lost in a crash of the database.
    static Optional<Fold> fold(Tx tx) {
        return tx.first(
                "SELECT round, written_at, EXISTS (SELECT 1 " + NEW + ") AS waiting FROM rate_fold WHERE id = 1",
                Fold.class,
                "all",
                BEFORE_ALL);
    }

    static void begin(Tx tx) {
        tx.change(
                "INSERT INTO rate_fold (id, round, upto, written_at) VALUES (1, 0, :all, 0) ON CONFLICT DO NOTHING",
                "all",
                BEFORE_ALL);
    }

    /// Returns the number of the last round and keeps other nodes from writing the next one. Empty if another node
    /// does so now, or a round is younger than `before`.
    static Optional<Long> lock(Tx tx, Instant before) {
        return tx.first(
                "SELECT round FROM rate_fold WHERE id = 1 AND written_at <= :before"
                        + tx.dialect().skipLocked(),
                Long.class,
                "before",
                before);
    }

    /// Writes the round with this number, and deletes reports from before `old`.
    static void sum(Tx tx, long number, Instant old) {
        tx.later(SUM, "number", number, "old", old, "all", BEFORE_ALL);
        tx.later("DELETE FROM rate_round WHERE number <= :number", "number", number - ROUNDS_KEPT);
        tx.later("DELETE FROM rate_use WHERE written_at < :old", "old", old);
    }

    /// Returns the rounds after this number, in order.
    static List<Round> rounds(Tx tx, long after, Instant since) {
        return tx.list(
                "SELECT number, uses FROM rate_round WHERE number > :after AND written_at >= :since ORDER BY number",
                Round.class,
                "after",
                after,
                "since",
                since);
    }
}
