package dev.sheaf.server.bundle;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.oci.OciPackaging;
import org.jspecify.annotations.Nullable;

/// An asset: its path, type and digest.
///
/// @param declaredType the publisher's own word for a type that [AssetType] does not know
/// @param size the size in bytes
/// @param executable whether the file's owner may execute it; null if unknown, for assets stored before modes were
/// kept
public record Asset(
        LogicalPath path,
        AssetType assetType,
        @Nullable String declaredType,
        Digest digest,
        long size,
        String mediaType,
        @Nullable Boolean executable) {
    /// Returns an asset as a publisher describes it.
    ///
    /// @param declared the publisher's word for the type; null to infer it from the path
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

    /// Returns the same asset with another mode.
    public Asset with(@Nullable Boolean mode) {
        return new Asset(path, assetType, declaredType, digest, size, mediaType, mode);
    }

    /// Returns the asset in the form in which it is packed.
    public OciPackaging.Asset packed() {
        return new OciPackaging.Asset(path, assetType, digest, size, mediaType, Boolean.TRUE.equals(executable));
    }
}
