package dev.sheaf.server.registry.content;

import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The queue of objects to remove from the blob store.
public final class DeletionRows {
    /// The kinds of entries.
    public enum Kind {
        OBJECT,
        DRAFT
    }

    /// An entry that is due.
    ///
    /// @param size in bytes
    public record Entry(String id, Kind kind, long size, Instant dueAt) {
        /// Returns the entry with another time.
        public Entry due(Instant at) {
            return new Entry(id, kind, size, at);
        }
    }

    /// An object that waits for its removal.
    ///
    /// @param id the id of the object
    /// @param size in bytes
    public record Queued(String id, long size, Instant dueAt, String reason) {}

    private DeletionRows() {}

    /// Queues an object that no reader can know.
    static void unseen(Tx tx, StagedBlob.Stored staged, String reason) {
        queue(tx, new Queued(staged.object().toString(), staged.size(), tx.now(), reason), Kind.OBJECT, null);
    }

    /// Queues a blob's object that a reader may have open.
    ///
    /// @param due a time after any running download has ended
    /// @param repositoryId the last repository that held it; null if repositories still hold the blob with
    /// other bytes
    public static void seen(Tx tx, BlobRecord blob, Instant due, @Nullable Long repositoryId, String reason) {
        if (blob.object() != null) {
            queue(tx, new Queued(blob.object().toString(), blob.size(), due, reason), Kind.OBJECT, repositoryId);
        }
    }

    public static void draft(Tx tx, UploadRecord upload, String reason) {
        String id = upload.draft().brief().toString();
        queue(tx, new Queued(id, upload.written(), tx.now(), reason), Kind.DRAFT, null);
    }

    private static void queue(Tx tx, Queued entry, Kind kind, @Nullable Long repositoryId) {
        tx.change("""
                        INSERT INTO object_deletion (id, kind, size, repository_id, due_at, reason)
                        VALUES (:id, :kind, :size, :repository, :dueAt, :reason) ON CONFLICT (id) DO NOTHING
                        """, entry, "kind", kind, "repository", repositoryId);
    }

    /// Returns the queued objects with the same content, including this one.
    public static List<ObjectId> copies(Tx tx, ObjectId object) {
        String start = object.toString().substring(0, object.toString().lastIndexOf('-') + 1);
        return tx.list(
                "SELECT id FROM object_deletion WHERE kind = 'object' AND id LIKE :start",
                ObjectId.class,
                "start",
                start + "%");
    }

    /// Returns entries that are due, after the entry with this time and id.
    public static List<Entry> due(Tx tx, Instant dueAfter, String after, int limit) {
        return tx.list("""
                        SELECT id, kind, size, due_at FROM object_deletion
                        WHERE due_at <= :now AND (due_at, id) > (:due, :after) ORDER BY due_at, id LIMIT :limit
                        """, Entry.class, "due", dueAfter, "after", after, "limit", limit);
    }

    /// Claims entries that are due and that nobody else is claiming: they are due again at `until`, unless they are
    /// removed or released before.
    ///
    /// @return the entries as they were
    public static List<Entry> claim(Tx tx, Instant until, int limit) {
        var entries = tx.list("""
                        SELECT id, kind, size, due_at FROM object_deletion
                        WHERE due_at <= :now ORDER BY due_at, id LIMIT :limit
                        """ + tx.dialect().skipLocked(), Entry.class, "limit", limit);
        tx.change(
                "UPDATE object_deletion SET due_at = :until WHERE id IN (<ids>)", "until", until, "ids", ids(entries));
        return entries;
    }

    /// Ends a claim: each entry is due at its own time.
    public static void release(Tx tx, Collection<Entry> entries) {
        tx.each("UPDATE object_deletion SET due_at = :dueAt WHERE id = :id", entries);
    }

    /// Removes entries.
    public static void done(Tx tx, Collection<Entry> entries) {
        tx.change("DELETE FROM object_deletion WHERE id IN (<ids>)", "ids", ids(entries));
    }

    private static List<String> ids(Collection<Entry> entries) {
        return entries.stream().map(Entry::id).toList();
    }

    /// Returns the queued objects of a digest that this repository held last.
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
