package dev.sheaf.server.queue;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Instructions of queues in the database.
public final class InstructionRows {
    private InstructionRows() {}

    static void insert(Tx tx, InstructionRow row) {
        tx.change("""
                INSERT INTO instruction (id, queue_id, version, slug, name, template, bundle, digest, path, active,
                                         created_at, created_by)
                VALUES (:id, :queueId, :version, :slug, :name, :template, :bundle, :digest, :path, :active,
                        :createdAt, :createdBy)
                """, row);
    }

    /// Returns the version of the last instruction; 0 if there is none.
    static int last(Tx tx, UUID queue) {
        return (int)
                tx.number("SELECT coalesce(max(version), 0) FROM instruction WHERE queue_id = :queue", "queue", queue);
    }

    public static Optional<InstructionRow> find(Tx tx, UUID queue, UUID id) {
        return tx.find(
                "SELECT * FROM instruction WHERE queue_id = :queue AND id = :id",
                InstructionRow.class,
                "queue",
                queue,
                "id",
                id);
    }

    /// Returns the active instruction, which claims contain.
    public static Optional<InstructionRow> active(Tx tx, UUID queue) {
        return tx.find(
                "SELECT * FROM instruction WHERE queue_id = :queue AND active = 1",
                InstructionRow.class,
                "queue",
                queue);
    }

    static Map<UUID, InstructionRow> active(Tx tx, Collection<UUID> queues) {
        var found = new HashMap<UUID, InstructionRow>();
        tx.list(
                        "SELECT * FROM instruction WHERE queue_id IN (<queues>) AND active = 1",
                        InstructionRow.class,
                        "queues",
                        queues)
                .forEach(row -> found.put(row.queueId(), row));
        return found;
    }

    /// Lists instructions, the newest first.
    static List<InstructionRow> list(Tx tx, UUID queue, @Nullable String before, int limit) {
        return tx.list(
                "SELECT * FROM instruction WHERE queue_id = :queue AND id < :before ORDER BY id DESC LIMIT :limit",
                InstructionRow.class,
                "queue",
                queue,
                "before",
                before == null ? TimeOrderedIds.END : before,
                "limit",
                limit);
    }

    static void deactivateAll(Tx tx, UUID queue) {
        tx.change("UPDATE instruction SET active = 0 WHERE queue_id = :queue AND active = 1", "queue", queue);
    }

    static void activate(Tx tx, UUID id) {
        tx.change("UPDATE instruction SET active = 1 WHERE id = :id", "id", id);
    }

    static void deactivate(Tx tx, UUID id) {
        tx.change("UPDATE instruction SET active = 0 WHERE id = :id", "id", id);
    }
}
