package dev.sheaf.server.bundle;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An [Asset] as stored, of a version or of the working set.
///
/// @param createdAt the time at which its version was published, or it was first put
/// @param updatedAt the time at which its content or type was last replaced; null if never, as in a version
public record StoredAsset(
        UUID id,
        LogicalPath path,
        AssetType assetType,
        @Nullable String declaredType,
        Digest digest,
        long size,
        String mediaType,
        @Nullable Boolean executable,
        Instant createdAt,
        @Nullable Instant updatedAt) {
    public Asset asset() {
        return new Asset(path, assetType, declaredType, digest, size, mediaType, executable);
    }
}
