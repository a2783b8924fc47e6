package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRow;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The rows of working assets: the assets of bundles while they are edited.
public final class WorkingAssetRows {
    private static final String SELECT = """
            SELECT w.id, w.path, w.asset_type, w.declared_type, b.digest, b.size, w.media_type, w.executable, w.created_at, w.updated_at
            FROM working_asset w JOIN blob b ON b.id = w.blob_id WHERE w.bundle_id = :bundle
            """;

    /// The number of assets and their size in bytes.
    record Total(int count, long bytes) {}

    private WorkingAssetRows() {}

    /// Returns whether the assets were ever edited in place; until then they are the assets of the latest
    /// version.
    static boolean isBegun(Tx tx, UUID bundleId) {
        return tx.has("SELECT 1 FROM bundle WHERE id = :bundle AND working_since IS NOT NULL", "bundle", bundleId);
    }

    /// Begins the working set. If there is a version, copies those of its assets that the repository still
    /// contains.
    static void begin(Tx tx, BundleSnapshot bundle, @Nullable VersionRow version) {
        tx.change(
                "UPDATE bundle SET working_since = :now WHERE id = :bundle",
                "bundle",
                bundle.bundle().id());
        if (version != null) {
            copy(tx, bundle, version);
        }
    }

    private static void copy(Tx tx, BundleSnapshot bundle, VersionRow version) {
        record Linked(Asset asset, long blobId) {}
        var held = tx.list("""
                        SELECT a.path, a.asset_type, a.declared_type, a.digest, a.size, a.media_type, a.executable, b.id AS blob_id
                        FROM asset a JOIN blob b ON b.digest = a.digest
                        JOIN link l ON l.blob_id = b.id AND l.repository_id = :repository
                        WHERE a.version_id = :version ORDER BY a.path
                        """, Linked.class, "repository", bundle.repository().id(), "version", version.id());
        held.forEach(one -> put(tx, bundle, one.asset(), one.blobId()));
    }

    /// Creates an asset, or replaces its content and type.
    static void put(Tx tx, BundleSnapshot bundle, Asset asset, long blobId) {
        record Keys(UUID id, UUID bundle, long repository, long blob, String folded) {}
        var keys = new Keys(
                TimeOrderedIds.next(tx.now()),
                bundle.bundle().id(),
                bundle.repository().id(),
                blobId,
                asset.path().folded());
        tx.change("""
                        INSERT INTO working_asset (id, bundle_id, path, folded, asset_type, declared_type, media_type,
                                                   executable, repository_id, blob_id, created_at)
                        VALUES (:id, :bundle, :path, :folded, :assetType, :declaredType, :mediaType, :executable,
                                :repository, :blob, :now)
                        ON CONFLICT (bundle_id, path) DO UPDATE SET asset_type = excluded.asset_type,
                            declared_type = excluded.declared_type, media_type = excluded.media_type,
                            executable = excluded.executable,
                            blob_id = excluded.blob_id, updated_at = excluded.created_at
                        """, keys, asset);
    }

    static boolean delete(Tx tx, UUID bundleId, LogicalPath path) {
        return tx.change(
                        "DELETE FROM working_asset WHERE bundle_id = :bundle AND path = :path",
                        "bundle",
                        bundleId,
                        "path",
                        path)
                == 1;
    }

    public static void deleteAll(Tx tx, UUID bundleId) {
        tx.change("DELETE FROM working_asset WHERE bundle_id = :bundle", "bundle", bundleId);
    }

    /// Deletes the assets with one of these contents. Returns their paths.
    public static List<String> deleteHolding(Tx tx, UUID bundleId, Collection<Long> blobIds) {
        return blobIds.isEmpty()
                ? List.of()
                : tx.list("""
                                DELETE FROM working_asset WHERE bundle_id = :bundle AND blob_id IN (<blobs>)
                                RETURNING path
                                """, String.class, "bundle", bundleId, "blobs", blobIds).stream()
                        .sorted()
                        .toList();
    }

    static Optional<StoredAsset> find(Tx tx, UUID bundleId, LogicalPath path) {
        return tx.find(SELECT + " AND w.path = :path", StoredAsset.class, "bundle", bundleId, "path", path);
    }

    /// Returns the paths of all assets.
    static List<LogicalPath> paths(Tx tx, UUID bundleId) {
        return tx.list(
                "SELECT path FROM working_asset WHERE bundle_id = :bundle", LogicalPath.class, "bundle", bundleId);
    }

    /// Returns the assets after `after`, by path.
    static List<StoredAsset> list(Tx tx, UUID bundleId, String after, int limit) {
        return tx.list(
                SELECT + " AND w.path > :after ORDER BY w.path LIMIT :limit",
                StoredAsset.class,
                "bundle",
                bundleId,
                "after",
                after,
                "limit",
                limit);
    }

    /// Returns all assets by path, to be published.
    static List<Asset> all(Tx tx, UUID bundleId) {
        return tx.list(SELECT + " ORDER BY w.path", Asset.class, "bundle", bundleId);
    }

    static Total total(Tx tx, UUID bundleId) {
        return tx.one("""
                        SELECT count(*) AS count, coalesce(sum(b.size), 0) AS bytes
                        FROM working_asset w JOIN blob b ON b.id = w.blob_id WHERE w.bundle_id = :bundle
                        """, Total.class, "bundle", bundleId);
    }
}
