package dev.sheaf.server.registry.scrub;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.content.ManifestRecord;
import dev.sheaf.server.registry.content.ManifestRows;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// The rows that a scrub checks: blobs and manifests, which it treats alike.
final class ScrubRows {
    /// Content that was stored under a digest.
    sealed interface Item {
        long id();

        Digest digest();

        /// Returns the size in bytes.
        long size();

        boolean isSuspect();
    }

    record BlobItem(BlobRecord blob, boolean isSuspect) implements Item {
        @Override
        public long id() {
            return blob.id();
        }

        @Override
        public Digest digest() {
            return blob.digest();
        }

        @Override
        public long size() {
            return blob.size();
        }
    }

    record ManifestItem(ManifestRecord manifest, boolean isSuspect) implements Item {
        @Override
        public long id() {
            return manifest.id();
        }

        @Override
        public Digest digest() {
            return manifest.digest();
        }

        @Override
        public long size() {
            return manifest.size();
        }
    }

    /// The kinds of rows.
    enum Kind {
        BLOB("blob", BlobItem.class, BlobRows.COLUMNS_FROM),
        MANIFEST("manifest", ManifestItem.class, ManifestRows.COLUMNS_FROM);

        private final String table;
        private final Class<? extends Item> item;
        private final String select;

        Kind(String table, Class<? extends Item> item, String columns) {
            this.table = table;
            this.item = item;
            this.select = "SELECT state = 'suspect' AS is_suspect, " + columns;
        }
    }

    /// The amount of a kind.
    record Total(long count, long bytes) {}

    private ScrubRows() {}

    static Total total(Tx tx, Kind kind) {
        return tx.one("SELECT count(*) AS count, COALESCE(sum(size), 0) AS bytes FROM " + kind.table, Total.class);
    }

    /// Returns when the row was last checked that was not checked for longest; empty if there is none.
    static Optional<Instant> oldest(Tx tx, Kind kind) {
        return tx.find("SELECT checked_at FROM " + kind.table + " ORDER BY checked_at LIMIT 1", Instant.class);
    }

    /// Returns whether the row that was stored first was not checked since. Rows are checked in the order in
    /// which they were stored.
    static boolean isFirstUnchecked(Tx tx, Kind kind) {
        return tx.find(
                        "SELECT id FROM " + kind.table + " WHERE id = (SELECT MIN(id) FROM " + kind.table
                                + ") AND checked_at <= created_at",
                        Long.class)
                .isPresent();
    }

    /// Returns rows in the order of their ids.
    static List<? extends Item> after(Tx tx, Kind kind, long id, int limit) {
        return tx.list(kind.select + " WHERE id > :id ORDER BY id LIMIT :limit", kind.item, "id", id, "limit", limit);
    }

    /// Returns the current row.
    static Optional<? extends Item> find(Tx tx, Kind kind, long id) {
        return tx.find(kind.select + " WHERE id = :id", kind.item, "id", id);
    }

    /// Returns rows that were last checked before an instant, the longest unchecked rows first. No other
    /// transaction gets them until this one ends.
    static List<? extends Item> due(Tx tx, Kind kind, Instant before, int limit) {
        return tx.list(
                kind.select + " WHERE checked_at < :before ORDER BY checked_at, id LIMIT :limit"
                        + tx.dialect().skipLocked(),
                kind.item,
                "before",
                before,
                "limit",
                limit);
    }

    static void checked(Tx tx, Kind kind, Collection<? extends Item> items, Instant at) {
        tx.change(
                "UPDATE " + kind.table + " SET checked_at = :at WHERE id IN (<ids>)",
                "at",
                at,
                "ids",
                items.stream().map(Item::id).toList());
    }
}
