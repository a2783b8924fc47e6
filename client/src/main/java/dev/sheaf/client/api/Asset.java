package dev.sheaf.client.api;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A file of a bundle.
///
/// @param executable whether its owner may execute it; null if this is unknown
public record Asset(
        LogicalPath path,
        AssetType type,
        Blob blob,
        @Nullable Boolean executable) {
    /// Returns the digest of the content.
    public Digest digest() {
        return blob.digest();
    }

    /// Returns the length in bytes.
    public long size() {
        return blob.size();
    }

    /// Returns a copy with this mode; null if it is unknown.
    public Asset executable(@Nullable Boolean mode) {
        return new Asset(path, type, blob, mode);
    }

    /// Returns the total size in bytes.
    public static long sizeOf(List<Asset> assets) {
        return assets.stream().mapToLong(Asset::size).sum();
    }
}
