package dev.sheaf.server.rate;

import dev.sheaf.engine.db.Tx;
import java.time.Instant;

/// The nodes that run.
final class NodeRows {
    private NodeRows() {}

    static void write(Tx tx, String node) {
        tx.change(
                "INSERT INTO node (id, seen_at) VALUES (:node, :now) ON CONFLICT (id) DO UPDATE SET seen_at = :now",
                "node",
                node);
    }

    static void deleteBefore(Tx tx, Instant limit) {
        tx.change("DELETE FROM node WHERE seen_at < :limit", "limit", limit);
    }

    static long count(Tx tx, Instant since) {
        return tx.one("SELECT count(*) FROM node WHERE seen_at >= :since", Long.class, "since", since);
    }
}
