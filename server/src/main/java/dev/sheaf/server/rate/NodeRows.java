package dev.sheaf.server.rate;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.wire.admin.OperationsReport;
import java.time.Instant;
import java.util.List;

/// The nodes that run.
final class NodeRows {
    private NodeRows() {}

    /// @param own its description
    static void write(Tx tx, String node, OperationsReport.Node own) {
        tx.change("""
                INSERT INTO node (id, seen_at, name, program, started_at, requests, cpu_percent, heap_used, heap_max)
                VALUES (:node, :now, :name, :program, :startedAt, :requests, :cpuPercent, :heapUsed, :heapMax)
                ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, requests = excluded.requests,
                    cpu_percent = excluded.cpu_percent, heap_used = excluded.heap_used
                """, own, "node", node);
    }

    /// Returns the nodes that describe themselves, by name.
    static List<OperationsReport.Node> list(Tx tx, Instant since, int limit) {
        return tx.list("""
                SELECT name, program, started_at, requests, cpu_percent, heap_used, heap_max FROM node
                WHERE seen_at >= :since AND name IS NOT NULL ORDER BY name, id LIMIT :limit
                """, OperationsReport.Node.class, "since", since, "limit", limit);
    }

    static void deleteBefore(Tx tx, Instant limit) {
        tx.change("DELETE FROM node WHERE seen_at < :limit", "limit", limit);
    }

    static long count(Tx tx, Instant since) {
        return tx.one("SELECT count(*) FROM node WHERE seen_at >= :since", Long.class, "since", since);
    }
}
