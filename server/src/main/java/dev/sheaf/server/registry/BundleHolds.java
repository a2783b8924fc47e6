package dev.sheaf.server.registry;

import dev.sheaf.engine.db.Tx;
import java.util.List;

/// Reports to the registry which content bundles need. The registry does not know their tables.
public interface BundleHolds {
    /// Returns the versions with this manifest, highest first.
    List<String> versions(Tx tx, long manifestId, int limit);

    /// Returns the numbers of pushes with this manifest that wait for approval, or ended a short time ago.
    List<String> reviews(Tx tx, long manifestId, int limit);

    /// Returns the paths of working assets with the content of this blob.
    List<String> workingAssets(Tx tx, long repositoryId, long blobId, int limit);
}
