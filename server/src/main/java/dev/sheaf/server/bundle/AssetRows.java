package dev.sheaf.server.bundle;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.server.db.Columns;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.util.List;
import java.util.UUID;

final class AssetRows {
    private AssetRows() {}

    static void insert(Tx tx, UUID versionId, List<NewAsset> assets) {
        var batch = tx.handle().prepareBatch("""
                INSERT INTO asset (id, version_id, path, asset_type, declared_type, digest, size, media_type)
                VALUES (:id, :version, :path, :type, :declared, :digest, :size, :media)
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
                    .add();
        }
        batch.execute();
    }

    /// The assets of a version, by path.
    static List<AssetRow> list(Tx tx, UUID versionId) {
        return tx.handle()
                .createQuery("""
                        SELECT id, path, asset_type, digest, size, media_type FROM asset
                        WHERE version_id = :version ORDER BY path
                        """)
                .bind("version", versionId)
                .map((row, context) -> new AssetRow(
                        Columns.uuid(row, "id"),
                        LogicalPath.parse(row.getString("path")),
                        AssetType.ofInput(row.getString("asset_type")),
                        Digest.parse(row.getString("digest")),
                        row.getLong("size"),
                        row.getString("media_type")))
                .list();
    }
}
