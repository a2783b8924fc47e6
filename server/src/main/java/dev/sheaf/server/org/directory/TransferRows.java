package dev.sheaf.server.org.directory;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.org.Transfer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

final class TransferRows {
    private static final String SELECT = """
            SELECT t.id, t.namespace, g.handle AS "from", r.handle AS "to", t.created_at, t.created_by, t.expires_at,
                   t.ended_at, t.ended_by, t.from_organization, t.to_organization,
                   COALESCE(t.outcome, CASE WHEN t.expires_at > :now THEN 'pending' ELSE 'expired' END) AS state
            FROM namespace_transfer t
            JOIN organization g ON g.id = t.from_organization JOIN organization r ON r.id = t.to_organization
            """;

    private TransferRows() {}

    record Row(UUID fromOrganization, UUID toOrganization, TransferState state, Transfer shown) {}

    static UUID insert(Tx tx, Namespace namespace, UUID from, UUID to, Instant expiresAt, String actor) {
        record Row(UUID id, Namespace namespace, UUID from, UUID to, Instant now, String actor, Instant expiresAt) {}
        var row = new Row(TimeOrderedIds.next(tx.now()), namespace, from, to, tx.now(), actor, expiresAt);
        tx.change("""
                INSERT INTO namespace_transfer (id, namespace, from_organization, to_organization, created_at,
                                                created_by, expires_at)
                VALUES (:id, :namespace, :from, :to, :now, :actor, :expiresAt)
                """, row);
        return row.id();
    }

    static Optional<Row> find(Tx tx, UUID id) {
        return tx.find(SELECT + "WHERE t.id = :id", Row.class, "id", id);
    }

    /// Returns the transfer of a namespace if it has no outcome yet.
    static Optional<Row> open(Tx tx, Namespace name) {
        return tx.find(SELECT + "WHERE t.namespace = :name AND t.outcome IS NULL", Row.class, "name", name);
    }

    static List<Row> list(Tx tx, UUID organization, String before, int limit) {
        record Page(UUID organization, String before, int limit, Instant now) {}
        return tx.list(SELECT + """
                WHERE (t.from_organization = :organization OR t.to_organization = :organization)
                  AND t.id < :before ORDER BY t.id DESC LIMIT :limit
                """, Row.class, new Page(organization, before, limit, tx.now()));
    }

    static void end(Tx tx, UUID id, TransferState outcome, String actor) {
        tx.change("""
                        UPDATE namespace_transfer SET outcome = :outcome, ended_at = :now, ended_by = :actor
                        WHERE id = :id
                        """, "outcome", outcome, "actor", actor, "id", id);
    }

    /// Withdraws the pushes in a namespace that need approval: the giver sent them. Its policies stay, so that nobody
    /// ends
    /// them by giving it away and back.
    static void endReviews(Tx tx, Namespace namespace) {
        tx.change("""
                UPDATE review SET state = 'withdrawn', ended_at = :now
                WHERE state = 'held' AND repository_id IN (SELECT id FROM repository WHERE namespace = :namespace)
                """, "namespace", namespace);
    }

    /// Ends the open uploads in a namespace. They count for the organization that began them, which has lost
    /// access to them.
    static void endUploads(Tx tx, Namespace namespace) {
        tx.change("""
                        UPDATE upload SET expires_at = :now WHERE expires_at > :now
                          AND repository_id IN (SELECT id FROM repository WHERE namespace = :namespace)
                        """, "namespace", namespace);
    }

    /// Deletes offers that ended before a moment, the oldest first.
    static int removeEnded(Tx tx, Instant before, int limit) {
        return tx.change("""
                        DELETE FROM namespace_transfer WHERE id IN (
                            SELECT id FROM namespace_transfer
                            WHERE id < :edge AND (ended_at < :before OR outcome IS NULL AND expires_at < :before)
                            ORDER BY id LIMIT :limit)
                        """, "edge", TimeOrderedIds.edge(before), "before", before, "limit", limit);
    }
}
