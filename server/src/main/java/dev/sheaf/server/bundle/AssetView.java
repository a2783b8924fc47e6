package dev.sheaf.server.bundle;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An asset of a version, or of a bundle as it is being edited.
///
/// @param declaredType the publisher's own word for the type, where [AssetType] does not know it
/// @param executable whether the file's owner may execute it; null where that is not known, as of what was stored
/// before modes were kept
/// @param size in bytes
/// @param createdAt when its version was published, or it was first put
/// @param updatedAt when its content or kind was last replaced
public record AssetView(
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
    public static AssetView of(VersionRow version, AssetRow asset) {
        return new AssetView(
                asset.id(),
                asset.path(),
                asset.assetType(),
                asset.declaredType(),
                asset.digest(),
                asset.size(),
                asset.mediaType(),
                asset.executable(),
                version.publishedAt(),
                null);
    }
}
