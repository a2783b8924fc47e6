package dev.sheaf.server.registry.gc;

import dev.sheaf.server.blob.StoredItem;
import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What lies in the blob store and no row names.
public final class StrayRows {
    /// More than the brief form of any draft's handle takes.
    private static final int BRIEF = 2_000;

    /// Something that no row named each time it was looked at.
    ///
    /// @param asideAt since when it is put aside; null: it is not
    record Stray(
            StoredItem item, Instant firstSeen, @Nullable Instant asideAt) {}

    private StrayRows() {}

    // --- what rows name ---

    /// Those of the parts that the deletion queue names.
    public static List<String> queued(Tx tx, Collection<String> parts) {
        return tx.list("""
                        SELECT substr(id, length(id) - 31) AS part FROM object_deletion
                        WHERE kind = 'object' AND substr(id, length(id) - 31) IN (<parts>)
                        """, String.class, "parts", parts);
    }

    /// The drafts of uploads and of the deletion queue, each with as much of its handle as names what it has.
    static Set<String> drafts(Tx tx) {
        var drafts = new HashSet<String>();
        tx.handle().createQuery("""
                        SELECT substr(draft_id, 1, :brief) FROM upload
                        UNION ALL SELECT id FROM object_deletion WHERE kind = 'draft'
                        """).bind("brief", BRIEF).mapTo(String.class).forEach(drafts::add);
        return drafts;
    }

    // --- strays ---

    static void see(Tx tx, Collection<StoredItem> items) {
        var batch = tx.handle().prepareBatch("""
                INSERT INTO stray (name, kind, part, size, first_seen, seen)
                VALUES (:name, :kind, :part, :size, :now, :now)
                ON CONFLICT (name) DO UPDATE SET seen = excluded.seen, size = excluded.size
                """);
        items.forEach(item -> batch.bind("name", item.name())
                .bind("kind", item.kind())
                .bind("part", item.part())
                .bind("size", item.size())
                .bind("now", tx.now())
                .add());
        if (batch.size() > 0) {
            batch.execute();
        }
    }

    /// Says where an item lies that has been put aside.
    static void putAside(Tx tx, Stray before, StoredItem after) {
        forget(tx, List.of(before.item().name()));
        tx.change(
                """
                        INSERT INTO stray (name, kind, part, size, first_seen, seen, aside_at)
                        VALUES (:name, :kind, :part, :size, :first, :now, :now)
                        ON CONFLICT (name) DO UPDATE SET aside_at = excluded.aside_at
                        """,
                "name",
                after.name(),
                "kind",
                after.kind(),
                "part",
                after.part(),
                "size",
                after.size(),
                "first",
                before.firstSeen(),
                "now",
                tx.now());
    }

    static void forget(Tx tx, Collection<String> names) {
        if (!names.isEmpty()) {
            tx.change("DELETE FROM stray WHERE name IN (<names>)", "names", names);
        }
    }

    /// Forgets what was not seen since then: it is gone, or a row has come to name it.
    static int forgetUnseen(Tx tx, Instant since) {
        return tx.change("DELETE FROM stray WHERE seen < :since", "since", since);
    }

    /// At most `limit` strays whose names sort after `after`.
    static List<Stray> after(Tx tx, String after, int limit) {
        return tx.list(
                """
                        SELECT name, kind, part, size, first_seen, aside_at FROM stray
                        WHERE name > :after ORDER BY name LIMIT :limit
                        """,
                row -> {
                    long aside = row.getLong("aside_at");
                    boolean isAside = !row.wasNull();
                    return new Stray(
                            new StoredItem(
                                    row.getString("name"),
                                    StoredItem.Kind.valueOf(row.getString("kind")),
                                    row.getString("part"),
                                    row.getLong("size")),
                            Instant.ofEpochMilli(row.getLong("first_seen")),
                            isAside ? Instant.ofEpochMilli(aside) : null);
                },
                "after",
                after,
                "limit",
                limit);
    }
}
