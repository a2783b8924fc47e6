package dev.sheaf.server.rate;

import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.List;

final class RateRows {
    /// What a holder took on a node.
    ///
    /// @param number counts up on each node, from 1
    record Row(String node, long number, String policy, String holder, long taken) {}

    private RateRows() {}

    static void insert(Tx tx, List<Row> rows) {
        tx.each("""
                        INSERT INTO rate_use (node, number, policy, holder, taken, written_at)
                        VALUES (:node, :number, :policy, :holder, :taken, :now)
                        """, rows);
    }

    /// What was taken on other nodes since then, the numbers of each in order.
    static List<Row> others(Tx tx, String node, Instant since) {
        return tx.list("""
                        SELECT node, number, policy, holder, taken FROM rate_use
                        WHERE written_at >= :since AND node <> :node ORDER BY node, number
                        """, Row.class, "since", since, "node", node);
    }

    static void purge(Tx tx, Instant before) {
        tx.change("DELETE FROM rate_use WHERE written_at < :before", "before", before);
    }
}
