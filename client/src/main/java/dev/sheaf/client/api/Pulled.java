package dev.sheaf.client.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.bundle.Resolution;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A bundle that is here, every byte verified.
///
/// @param name `namespace/bundle`, or host and repository of an artifact that is no bundle
/// @param version the version of a bundle; of another artifact the tag, or null
/// @param resolution what the registry said of it; null where nobody was asked, and for other artifacts
/// @param manifestDigest digest of the OCI manifest, which names every byte of the bundle
/// @param assets in the order of the manifest
/// @param refused files that were left out, since their paths are refused
/// @param fetchedBytes how many bytes of assets came over the network; 0 where all was cached
public record Pulled(
        String name,
        @Nullable String version,
        Digest manifestDigest,
        @Nullable Resolution resolution,
        List<File> assets,
        List<RefusedPath> refused,
        long fetchedBytes) {
    /// A file of the bundle, and where it lies: in the target folder, or in the cache where no target was named. A file
    /// of the cache is shared, so it must not be changed, and it may be removed by a later clean-up.
    public record File(Asset asset, Path file) {}

    public Pulled {
        assets = List.copyOf(assets);
        refused = List.copyOf(refused);
    }

    /// Length of all assets in bytes.
    public long sizeBytes() {
        return assets.stream().mapToLong(file -> file.asset().size()).sum();
    }
}
