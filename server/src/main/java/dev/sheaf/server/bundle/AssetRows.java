package dev.sheaf.server.bundle;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.db.Columns;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

public final class AssetRows {
    private AssetRows() {}

    public static void insert(Tx tx, UUID versionId, List<NewAsset> assets) {
        var batch = tx.handle().prepareBatch("""
                INSERT INTO asset (id, version_id, path, asset_type, declared_type, digest, size, media_type,
                                   executable)
                VALUES (:id, :version, :path, :type, :declared, :digest, :size, :media, :executable)
                """);
        for (NewAsset asset : assets) {
            batch.bind("id", Ids.next(tx.now()))
                    .bind("version", versionId)
                    .bind("path", asset.path())
                    .bind("type", asset.type())
                    .bind("declared", asset.declaredType())
                    .bind("digest", asset.digest())
                    .bind("size", asset.size())
                    .bind("media", asset.mediaType())
                    .bind("executable", Columns.flag(Boolean.TRUE.equals(asset.executable()))) // today's manifest tells
                    .add();
        }
        batch.execute();
    }

    /// Where an asset of a version is.
    public record Place(RepositoryName bundle, AssetView asset) {}

    public static Optional<Place> place(Tx tx, UUID assetId) {
        return tx.find(
                """
                        SELECT a.id, a.path, a.asset_type, a.declared_type, a.digest, a.size, a.media_type, a.executable, v.published_at,
                               r.namespace, r.name
                        FROM asset a JOIN version v ON v.id = a.version_id JOIN bundle b ON b.id = v.bundle_id
                        JOIN repository r ON r.id = b.repository_id
                        WHERE a.id = :asset AND r.deleted_at IS NULL
                        """,
                row -> new Place(
                        RepositoryName.parse(row.getString("namespace") + "/" + row.getString("name")),
                        new AssetView(
                                assetId,
                                new LogicalPath(row.getString("path")),
                                AssetType.ofInput(row.getString("asset_type")),
                                row.getString("declared_type"),
                                Digest.parse(row.getString("digest")),
                                row.getLong("size"),
                                row.getString("media_type"),
                                Columns.flag(row, "executable"),
                                Instant.ofEpochMilli(row.getLong("published_at")),
                                null)),
                "asset",
                assetId);
    }

    /// The assets of a version, to be published again.
    public static List<NewAsset> content(Tx tx, UUID versionId) {
        return tx.list(
                """
                        SELECT path, asset_type, declared_type, digest, size, media_type, executable FROM asset
                        WHERE version_id = :version ORDER BY path
                        """,
                row -> new NewAsset(
                        new LogicalPath(row.getString("path")),
                        AssetType.ofInput(row.getString("asset_type")),
                        row.getString("declared_type"),
                        Digest.parse(row.getString("digest")),
                        row.getLong("size"),
                        row.getString("media_type"),
                        Columns.flag(row, "executable")),
                "version",
                versionId);
    }

    /// The assets of a version, by path.
    public static List<AssetRow> list(Tx tx, UUID versionId) {
        return tx.list(
                """
                        SELECT id, path, asset_type, declared_type, digest, size, media_type, executable FROM asset
                        WHERE version_id = :version ORDER BY path
                        """,
                row -> new AssetRow(
                        Columns.uuid(row, "id"),
                        new LogicalPath(row.getString("path")),
                        AssetType.ofInput(row.getString("asset_type")),
                        row.getString("declared_type"),
                        Digest.parse(row.getString("digest")),
                        row.getLong("size"),
                        row.getString("media_type"),
                        Columns.flag(row, "executable")),
                "version",
                versionId);
    }
}
