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
        return tx.handle()
                .createQuery("""
                        SELECT substr(id, length(id) - 31) AS part FROM object_deletion
                        WHERE kind = 'object' AND substr(id, length(id) - 31) IN (<parts>)
                        """)
                .bindList("parts", List.copyOf(parts))
                .mapTo(String.class)
                .list();
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
        tx.handle()
                .createUpdate("""
                        INSERT INTO stray (name, kind, part, size, first_seen, seen, aside_at)
                        VALUES (:name, :kind, :part, :size, :first, :now, :now)
                        ON CONFLICT (name) DO UPDATE SET aside_at = excluded.aside_at
                        """)
                .bind("name", after.name())
                .bind("kind", after.kind())
                .bind("part", after.part())
                .bind("size", after.size())
                .bind("first", before.firstSeen())
                .bind("now", tx.now())
                .execute();
    }

    static void forget(Tx tx, Collection<String> names) {
        if (!names.isEmpty()) {
            tx.handle()
                    .createUpdate("DELETE FROM stray WHERE name IN (<names>)")
                    .bindList("names", List.copyOf(names))
                    .execute();
        }
    }

    /// Forgets what was not seen since then: it is gone, or a row has come to name it.
    static int forgetUnseen(Tx tx, Instant since) {
        return tx.handle()
                .createUpdate("DELETE FROM stray WHERE seen < :since")
                .bind("since", since)
                .execute();
    }

    /// At most `limit` strays whose names sort after `after`.
    static List<Stray> after(Tx tx, String after, int limit) {
        return tx.handle()
                .createQuery("""
                        SELECT name, kind, part, size, first_seen, aside_at FROM stray
                        WHERE name > :after ORDER BY name LIMIT :limit
                        """)
                .bind("after", after)
                .bind("limit", limit)
                .map((row, context) -> {
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
                })
                .list();
    }
}
