package dev.sheaf.server.bundle;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An [Asset] as it is stored, of a version or of a bundle as it is being edited.
///
/// @param createdAt when its version was published, or it was first put
/// @param updatedAt when its content or kind was last replaced; null: never, as of a version
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
