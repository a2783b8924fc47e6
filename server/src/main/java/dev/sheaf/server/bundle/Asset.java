package dev.sheaf.server.bundle;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.oci.Packaging;
import org.jspecify.annotations.Nullable;

/// An asset: what it is called, what it is, and the digest of its bytes.
///
/// @param declaredType the publisher's own word for the type, where [AssetType] does not know it
/// @param size in bytes
/// @param executable whether the file's owner may execute it; null where that is not known, as of what was stored
/// before modes were kept
public record Asset(
        LogicalPath path,
        AssetType assetType,
        @Nullable String declaredType,
        Digest digest,
        long size,
        String mediaType,
        @Nullable Boolean executable) {
    /// As a publisher describes it.
    ///
    /// @param declared the publisher's word for the type; null: what the path says
    public static Asset declared(
            LogicalPath path,
            @Nullable String declared,
            Digest digest,
            long size,
            String mediaType,
            @Nullable Boolean executable) {
        return new Asset(
                path,
                declared == null ? AssetType.infer(path) : AssetType.ofInput(declared),
                declared == null || AssetType.isKnown(declared) ? null : declared,
                digest,
                size,
                mediaType,
                executable);
    }

    /// The same with another mode.
    public Asset with(@Nullable Boolean mode) {
        return new Asset(path, assetType, declaredType, digest, size, mediaType, mode);
    }

    /// What is packed of it.
    public Packaging.Asset packed() {
        return new Packaging.Asset(path, assetType, digest, size, mediaType, Boolean.TRUE.equals(executable));
    }
}
