package dev.sheaf.server.bundle;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.oci.Packaging;
import org.jspecify.annotations.Nullable;

/// An asset of a version that is being published.
///
/// @param declaredType the publisher's own word for the type, where [AssetType] does not know it
/// @param executable whether the file's owner may execute it; null where that is not known, as of what was stored
/// before modes were kept
public record NewAsset(
        LogicalPath path,
        AssetType type,
        @Nullable String declaredType,
        Digest digest,
        long size,
        String mediaType,
        @Nullable Boolean executable) {
    /// The same with another mode.
    public NewAsset with(@Nullable Boolean mode) {
        return new NewAsset(path, type, declaredType, digest, size, mediaType, mode);
    }

    /// What is packed of it.
    public Packaging.Asset packed() {
        return new Packaging.Asset(path, type, digest, size, mediaType, Boolean.TRUE.equals(executable));
    }
}
