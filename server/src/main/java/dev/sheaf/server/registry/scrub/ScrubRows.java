package dev.sheaf.server.registry.scrub;

import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.content.ManifestRecord;
import dev.sheaf.server.registry.content.ManifestRows;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.RowMapper;

/// The rows whose bytes a scrub checks: blobs and manifests, which it takes alike.
final class ScrubRows {
    /// Something that was stored under a digest.
    sealed interface Item {
        long id();

        /// In bytes.
        long size();

        boolean isSuspect();
    }

    record BlobItem(BlobRecord blob, boolean isSuspect) implements Item {
        @Override
        public long id() {
            return blob.id();
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
        public long size() {
            return manifest.size();
        }
    }

    /// A sort of rows.
    enum Kind {
        BLOB("blob", "id, digest, size, object_id, state"),
        MANIFEST("manifest", "id, digest, media_type, artifact_type, subject_digest, size, state");

        private final String table;
        private final String select;

        Kind(String table, String columns) {
            this.table = table;
            this.select = "SELECT " + columns + " FROM " + table;
        }

        private RowMapper<Item> mapper() {
            return (row, context) -> {
                boolean isSuspect = row.getString("state").equals("suspect");
                return this == BLOB
                        ? new BlobItem(BlobRows.read(row), isSuspect)
                        : new ManifestItem(ManifestRows.read(row), isSuspect);
            };
        }
    }

    /// How much there is of a sort.
    record Total(long count, long bytes) {}

    private ScrubRows() {}

    static Total total(Tx tx, Kind kind) {
        return tx.one(
                "SELECT count(*) AS rows, COALESCE(sum(size), 0) AS bytes FROM " + kind.table,
                row -> new Total(row.getLong("rows"), row.getLong("bytes")));
    }

    /// In the order of their ids.
    static List<Item> after(Tx tx, Kind kind, long id, int limit) {
        return tx.handle()
                .createQuery(kind.select + " WHERE id > :id ORDER BY id LIMIT :limit")
                .bind("id", id)
                .bind("limit", limit)
                .map(kind.mapper())
                .list();
    }

    /// The row as it is now.
    static Optional<Item> find(Tx tx, Kind kind, long id) {
        return tx.handle()
                .createQuery(kind.select + " WHERE id = :id")
                .bind("id", id)
                .map(kind.mapper())
                .findOne();
    }

    /// Rows that were last checked before an instant, those first that wait longest. No other transaction gets them
    /// until this one ends.
    static List<Item> due(Tx tx, Kind kind, Instant before, int limit) {
        return tx.handle()
                .createQuery(kind.select + " WHERE checked_at < :before ORDER BY checked_at, id LIMIT :limit"
                        + tx.dialect().skipLocked())
                .bind("before", before)
                .bind("limit", limit)
                .map(kind.mapper())
                .list();
    }

    static void checked(Tx tx, Kind kind, Collection<? extends Item> items, Instant at) {
        if (!items.isEmpty()) {
            tx.change(
                    "UPDATE " + kind.table + " SET checked_at = :at WHERE id IN (<ids>)",
                    "at",
                    at,
                    "ids",
                    items.stream().map(Item::id).toList());
        }
    }
}
