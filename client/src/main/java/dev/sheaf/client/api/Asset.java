package dev.sheaf.client.api;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One file of a bundle.
///
/// @param executable whether its owner may execute it; null where that is not known
public record Asset(
        LogicalPath path,
        AssetType type,
        Blob blob,
        @Nullable Boolean executable) {
    public Digest digest() {
        return blob.digest();
    }

    /// Its length in bytes.
    public long size() {
        return blob.size();
    }

    /// The same, executable or not.
    public Asset executable(@Nullable Boolean mode) {
        return new Asset(path, type, blob, mode);
    }

    /// How many bytes all of them have together.
    public static long sizeOf(List<Asset> assets) {
        return assets.stream().mapToLong(Asset::size).sum();
    }
}
