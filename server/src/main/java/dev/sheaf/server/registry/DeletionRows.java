package dev.sheaf.server.registry;

import dev.sheaf.server.blob.DraftId;
import dev.sheaf.server.blob.ObjectId;
import dev.sheaf.server.db.Tx;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/// The queue of what may leave the blob store.
final class DeletionRows {
    /// Longer than a running download may still need an object.
    static final Duration GRACE = Duration.ofHours(24);

    /// An entry that is due.
    record Entry(String id, boolean isDraft) {}

    private DeletionRows() {}

    /// An object that no reader can know.
    static void unseen(Tx tx, ObjectId object, String reason) {
        queue(tx, object.toString(), "object", Duration.ZERO, reason);
    }

    /// An object that a reader may have open.
    static void seen(Tx tx, ObjectId object, String reason) {
        queue(tx, object.toString(), "object", GRACE, reason);
    }

    static void draft(Tx tx, DraftId draft, String reason) {
        queue(tx, draft.brief().toString(), "draft", Duration.ZERO, reason);
    }

    private static void queue(Tx tx, String id, String kind, Duration grace, String reason) {
        tx.handle()
                .createUpdate("""
                        INSERT INTO object_deletion (id, kind, due_at, reason) VALUES (:id, :kind, :due, :reason)
                        ON CONFLICT (id) DO NOTHING
                        """)
                .bind("id", id)
                .bind("kind", kind)
                .bind("due", tx.now().plus(grace))
                .bind("reason", reason)
                .execute();
    }

    /// The objects of the queue with the same content, this one included.
    static List<ObjectId> copies(Tx tx, ObjectId object) {
        String start = object.toString().substring(0, object.toString().lastIndexOf('-') + 1);
        return tx.handle()
                .createQuery("SELECT id FROM object_deletion WHERE kind = 'object' AND id LIKE :start")
                .bind("start", start + "%")
                .map((row, context) -> ObjectId.parse(row.getString("id")))
                .list();
    }

    static List<Entry> due(Tx tx, int limit) {
        return tx.handle()
                .createQuery(
                        "SELECT id, kind FROM object_deletion WHERE due_at <= :now ORDER BY due_at, id LIMIT :limit")
                .bind("now", tx.now())
                .bind("limit", limit)
                .map((row, context) ->
                        new Entry(row.getString("id"), row.getString("kind").equals("draft")))
                .list();
    }

    static void done(Tx tx, Collection<Entry> entries) {
        tx.handle()
                .createUpdate("DELETE FROM object_deletion WHERE id IN (<ids>)")
                .bindList("ids", entries.stream().map(Entry::id).toList())
                .execute();
    }
}
