package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.registry.BundleHolds;
import java.util.List;

/// Reports the versions and working assets that need a manifest or blob.
public final class HoldRows implements BundleHolds {
    @Override
    public List<String> versions(Tx tx, long manifestId, int limit) {
        return tx.list("""
                        SELECT version FROM version WHERE manifest_id = :manifest ORDER BY sort_key DESC LIMIT :limit
                        """, String.class, "manifest", manifestId, "limit", limit);
    }

    @Override
    public List<String> reviews(Tx tx, long manifestId, int limit) {
        return tx.list(
                "SELECT version FROM review WHERE manifest_id = :manifest ORDER BY id DESC LIMIT :limit",
                String.class,
                "manifest",
                manifestId,
                "limit",
                limit);
    }

    @Override
    public List<String> workingAssets(Tx tx, long repositoryId, long blobId, int limit) {
        return tx.list("""
                        SELECT path FROM working_asset WHERE repository_id = :repository AND blob_id = :blob
                        ORDER BY path LIMIT :limit
                        """, String.class, "repository", repositoryId, "blob", blobId, "limit", limit);
    }
}
