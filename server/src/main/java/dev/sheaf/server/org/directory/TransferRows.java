package dev.sheaf.server.org.directory;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.Transfer;
import dev.sheaf.server.db.Columns;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

final class TransferRows {
    private static final String SELECT = """
            SELECT t.*, g.handle AS giver, r.handle AS receiver FROM namespace_transfer t
            JOIN organization g ON g.id = t.from_organization JOIN organization r ON r.id = t.to_organization
            """;

    private TransferRows() {}

    /// @param wire as it is shown
    record Row(UUID from, UUID to, Transfer wire) {}

    private static Row row(ResultSet row, Instant now) throws SQLException {
        String outcome = row.getString("outcome");
        Instant expiresAt = Columns.instant(row, "expires_at");
        var wire = new Transfer(
                Columns.uuid(row, "id"),
                row.getString("namespace"),
                row.getString("giver"),
                row.getString("receiver"),
                outcome != null ? outcome : now.isBefore(expiresAt) ? "pending" : "expired",
                Columns.instant(row, "created_at"),
                row.getString("created_by"),
                expiresAt,
                Columns.nullableInstant(row, "ended_at"),
                row.getString("ended_by"));
        return new Row(Columns.uuid(row, "from_organization"), Columns.uuid(row, "to_organization"), wire);
    }

    static UUID insert(Tx tx, Namespace namespace, UUID from, UUID to, Instant expiresAt, String actor) {
        UUID id = Ids.next(tx.now());
        tx.change(
                """
                        INSERT INTO namespace_transfer (id, namespace, from_organization, to_organization, created_at,
                                                        created_by, expires_at)
                        VALUES (:id, :namespace, :from, :to, :now, :actor, :expires)
                        """,
                "id",
                id,
                "namespace",
                namespace,
                "from",
                from,
                "to",
                to,
                "now",
                tx.now(),
                "actor",
                actor,
                "expires",
                expiresAt);
        return id;
    }

    static Optional<Row> find(Tx tx, UUID id) {
        return tx.find(SELECT + "WHERE t.id = :id", row -> row(row, tx.now()), "id", id);
    }

    /// The one of a namespace that has no outcome.
    static Optional<Row> open(Tx tx, Namespace namespace) {
        return tx.find(
                SELECT + "WHERE t.namespace = :namespace AND t.outcome IS NULL",
                row -> row(row, tx.now()),
                "namespace",
                namespace);
    }

    static List<Row> list(Tx tx, UUID organization, String before, int limit) {
        return tx.list(
                SELECT + """
                        WHERE (t.from_organization = :organization OR t.to_organization = :organization)
                          AND t.id < :before ORDER BY t.id DESC LIMIT :limit
                        """,
                row -> row(row, tx.now()),
                "organization",
                organization,
                "before",
                before,
                "limit",
                limit);
    }

    static void end(Tx tx, UUID id, String outcome, String actor) {
        tx.change("""
                        UPDATE namespace_transfer SET outcome = :outcome, ended_at = :now, ended_by = :actor
                        WHERE id = :id
                        """, "outcome", outcome, "now", tx.now(), "actor", actor, "id", id);
    }

    /// Ends the uploads that are open in a namespace: they count for who began them, who cannot reach them any more.
    static void endUploads(Tx tx, Namespace namespace) {
        tx.change("""
                        UPDATE upload SET expires_at = :now WHERE expires_at > :now
                          AND repository_id IN (SELECT id FROM repository WHERE namespace = :namespace)
                        """, "now", tx.now(), "namespace", namespace);
    }
}
