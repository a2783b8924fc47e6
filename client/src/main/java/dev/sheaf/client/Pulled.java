package dev.sheaf.client;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.wire.Resolution;
import java.nio.file.Path;
import java.util.List;

/// A bundle that is here, every byte verified.
///
/// @param resolution what the reference meant
/// @param manifestDigest digest of the OCI manifest, which names every byte of the bundle
/// @param assets in the order of the manifest
/// @param fetchedBytes how many bytes of assets came over the network; 0 where all was cached
public record Pulled(Resolution resolution, Digest manifestDigest, List<Asset> assets, long fetchedBytes) {
    /// One file of the bundle.
    ///
    /// @param size in bytes
    /// @param file where it lies: in the target folder, or in the cache where no target was named. A file of the
    ///     cache is shared, so it must not be changed, and it may be removed by a later clean-up
    public record Asset(LogicalPath path, AssetType type, Digest digest, long size, Path file) {}

    public Pulled {
        assets = List.copyOf(assets);
    }

    /// Length of all assets in bytes.
    public long sizeBytes() {
        return assets.stream().mapToLong(Asset::size).sum();
    }
}
