package dev.sheaf.server.registry.content;

import dev.sheaf.model.Digest;
import dev.sheaf.server.blob.ObjectId;
import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The queue of what may leave the blob store.
public final class DeletionRows {
    /// An entry that is due.
    ///
    /// @param size in bytes
    public record Entry(String id, boolean isDraft, long size, Instant dueAt) {}

    /// An object on its way out.
    ///
    /// @param id of the object
    /// @param size in bytes
    public record Queued(String id, long size, Instant dueAt, String reason) {}

    private DeletionRows() {}

    /// An object that no reader can know.
    static void unseen(Tx tx, StagedBlob.Stored staged, String reason) {
        queue(tx, new Queued(staged.object().toString(), staged.size(), tx.now(), reason), "object", null);
    }

    /// A blob's object that a reader may have open.
    ///
    /// @param due longer from now than a running download may still need it
    /// @param repositoryId the last one that held it; null: others still hold the blob, with other bytes
    public static void seen(Tx tx, BlobRecord blob, Instant due, @Nullable Long repositoryId, String reason) {
        if (blob.object() != null) {
            queue(tx, new Queued(blob.object().toString(), blob.size(), due, reason), "object", repositoryId);
        }
    }

    public static void draft(Tx tx, UploadRecord upload, String reason) {
        String id = upload.draft().brief().toString();
        queue(tx, new Queued(id, upload.written(), tx.now(), reason), "draft", null);
    }

    private static void queue(Tx tx, Queued entry, String kind, @Nullable Long repositoryId) {
        tx.change("""
                        INSERT INTO object_deletion (id, kind, size, repository_id, due_at, reason)
                        VALUES (:id, :kind, :size, :repository, :dueAt, :reason) ON CONFLICT (id) DO NOTHING
                        """, entry, "kind", kind, "repository", repositoryId);
    }

    /// The objects of the queue with the same content, this one included.
    public static List<ObjectId> copies(Tx tx, ObjectId object) {
        String start = object.toString().substring(0, object.toString().lastIndexOf('-') + 1);
        return tx.list(
                "SELECT id FROM object_deletion WHERE kind = 'object' AND id LIKE :start",
                ObjectId.class,
                "start",
                start + "%");
    }

    /// What is due, after an entry of this time and id.
    public static List<Entry> due(Tx tx, Instant dueAfter, String after, int limit) {
        return tx.list("""
                        SELECT id, kind = 'draft' AS is_draft, size, due_at FROM object_deletion
                        WHERE due_at <= :now AND (due_at, id) > (:due, :after) ORDER BY due_at, id LIMIT :limit
                        """, Entry.class, "due", dueAfter, "after", after, "limit", limit);
    }

    /// True where the entry was still there.
    public static boolean done(Tx tx, Entry entry) {
        return tx.change("DELETE FROM object_deletion WHERE id = :id", "id", entry.id()) == 1;
    }

    public static void postpone(Tx tx, Entry entry, Instant until) {
        tx.change("UPDATE object_deletion SET due_at = :until WHERE id = :id", "until", until, "id", entry.id());
    }

    /// The objects of a digest that the repository held last.
    public static List<Queued> of(Tx tx, long repositoryId, Digest digest) {
        String prefix = digest.algorithm() + "-" + digest.hex();
        return tx.list(
                """
                        SELECT id, size, due_at, reason FROM object_deletion
                        WHERE id > :from AND id < :to AND repository_id = :repository ORDER BY due_at DESC, id
                        """,
                Queued.class,
                "from",
                prefix + "-",
                "to",
                prefix + ".", // the next character
                "repository",
                repositoryId);
    }
}
