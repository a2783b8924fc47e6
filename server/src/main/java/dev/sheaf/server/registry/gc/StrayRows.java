package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.blob.StoredItem;
import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Items in the blob store that no row refers to.
public final class StrayRows {
    /// Longer than the short form of any draft's handle.
    private static final int BRIEF = 2_000;

    /// An item that no row referred to each time it was examined.
    ///
    /// @param asideAt when it was set aside; null if it was not
    record Stray(
            StoredItem item, Instant firstSeen, @Nullable Instant asideAt) {}

    private static final String INSERT = """
            INSERT INTO stray (name, kind, part, size, first_seen, seen, aside_at)
            VALUES (:name, upper(:kind), :part, :size, COALESCE(:firstSeen, :now), :now, :asideAt)
            """;

    private StrayRows() {}

    // --- names in rows ---

    /// Returns the parts that the deletion queue refers to.
    public static List<String> queued(Tx tx, Collection<String> parts) {
        return tx.list("""
                        SELECT substr(id, length(id) - 31) AS part FROM object_deletion
                        WHERE kind = 'object' AND substr(id, length(id) - 31) IN (<parts>)
                        """, String.class, "parts", parts);
    }

    /// Returns the drafts of uploads and of the deletion queue, each with the part of its handle that names its
    /// contents.
    static Set<String> drafts(Tx tx) {
        return Set.copyOf(tx.list("""
                        SELECT substr(draft_id, 1, :brief) FROM upload
                        UNION ALL SELECT id FROM object_deletion WHERE kind = 'draft'
                        """, String.class, "brief", BRIEF));
    }

    // --- strays ---

    static void see(Tx tx, Collection<StoredItem> items) {
        tx.each(
                INSERT + " ON CONFLICT (name) DO UPDATE SET seen = excluded.seen, size = excluded.size",
                items,
                "firstSeen",
                null,
                "asideAt",
                null);
    }

    /// Records the new place of an item that was set aside.
    static void putAside(Tx tx, Stray before, StoredItem after) {
        forget(tx, List.of(before.item().name()));
        tx.change(
                INSERT + " ON CONFLICT (name) DO UPDATE SET aside_at = excluded.aside_at",
                new Stray(after, before.firstSeen(), tx.now()));
    }

    static void forget(Tx tx, Collection<String> names) {
        tx.change("DELETE FROM stray WHERE name IN (<names>)", "names", names);
    }

    /// Deletes rows of items that were not seen since then: they are gone, or a row refers to them.
    static int forgetUnseen(Tx tx, Instant since) {
        return tx.change("DELETE FROM stray WHERE seen < :since", "since", since);
    }

    /// Returns at most `limit` strays whose names sort after `after`.
    static List<Stray> after(Tx tx, String after, int limit) {
        return tx.list("""
                        SELECT name, kind, part, size, first_seen, aside_at FROM stray
                        WHERE name > :after ORDER BY name LIMIT :limit
                        """, Stray.class, "after", after, "limit", limit);
    }
}
