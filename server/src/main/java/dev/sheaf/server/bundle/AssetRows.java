package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.RepositoryName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

public final class AssetRows {
    private static final String SELECT = """
            SELECT a.id, a.path, a.asset_type, a.declared_type, a.digest, a.size, a.media_type, a.executable,
                   v.published_at AS created_at, NULL AS updated_at
            """;

    private AssetRows() {}

    /// Inserts the assets of a new version, and returns them by path. An asset whose manifest says nothing about its
    /// mode is not executable.
    public static List<StoredAsset> insert(Tx tx, UUID versionId, List<Asset> assets) {
        var rows = assets.stream()
                .map(asset -> stored(tx, asset))
                .sorted(Comparator.comparing(StoredAsset::path))
                .toList();
        tx.laterEach("""
                INSERT INTO asset (id, version_id, path, asset_type, declared_type, digest, size, media_type, executable)
                VALUES (:id, :version, :path, :assetType, :declaredType, :digest, :size, :mediaType, :executable)
                """, rows, "version", versionId);
        return rows;
    }

    /// A version with a manifest.
    public record Published(UUID id, long manifestId) {}

    /// Returns published versions in the order of their ids, starting after `after`.
    public static List<Published> published(Tx tx, String after, int limit) {
        return tx.list("""
                        SELECT id, manifest_id FROM version WHERE state = 'published' AND id > :after
                        ORDER BY id LIMIT :limit
                        """, Published.class, "after", after, "limit", limit);
    }

    /// Adds those of a version's assets that it lacks, for an installation that has lost some.
    ///
    /// @return their number
    public static int complete(Tx tx, UUID versionId, List<Asset> assets) {
        var known = list(tx, versionId).stream().map(StoredAsset::path).collect(Collectors.toSet());
        var lost =
                assets.stream().filter(asset -> !known.contains(asset.path())).toList();
        insert(tx, versionId, lost);
        return lost.size();
    }

    private static StoredAsset stored(Tx tx, Asset asset) {
        return new StoredAsset(
                TimeOrderedIds.next(tx.now()),
                asset.path(),
                asset.assetType(),
                asset.declaredType(),
                asset.digest(),
                asset.size(),
                asset.mediaType(),
                Boolean.TRUE.equals(asset.executable()),
                tx.now(),
                null);
    }

    /// The place of an asset of a version.
    public record Located(RepositoryName bundle, StoredAsset asset) {}

    public static Optional<Located> locate(Tx tx, UUID assetId) {
        return tx.find(SELECT + """
                        , r.namespace, r.name AS bundle
                        FROM asset a JOIN version v ON v.id = a.version_id JOIN bundle b ON b.id = v.bundle_id
                        JOIN repository r ON r.id = b.repository_id
                        WHERE a.id = :asset AND r.deleted_at IS NULL AND v.recalled_at IS NULL
                        """, Located.class, "asset", assetId);
    }

    /// Returns the assets of a version, by path.
    public static List<StoredAsset> list(Tx tx, UUID versionId) {
        return tx.list(SELECT + """
                        FROM asset a JOIN version v ON v.id = a.version_id
                        WHERE a.version_id = :version ORDER BY a.path
                        """, StoredAsset.class, "version", versionId);
    }

    /// Returns the assets of a version in the form to be published again.
    public static List<Asset> content(Tx tx, UUID versionId) {
        return list(tx, versionId).stream().map(StoredAsset::asset).toList();
    }

    public static int count(Tx tx, UUID versionId) {
        return (int) tx.number("SELECT count(*) FROM asset WHERE version_id = :version", "version", versionId);
    }
}
