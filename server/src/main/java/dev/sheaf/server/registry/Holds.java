package dev.sheaf.server.registry;

import dev.sheaf.server.db.Tx;
import java.util.List;

/// What bundles need of what a repository holds. The registry asks, and does not know their tables.
public interface Holds {
    /// The versions with this manifest, the highest first.
    List<String> versions(Tx tx, long manifestId, int limit);

    /// The paths of the assets with the content of this blob, of the bundle as it is being edited.
    List<String> workingAssets(Tx tx, long repositoryId, long blobId, int limit);
}
