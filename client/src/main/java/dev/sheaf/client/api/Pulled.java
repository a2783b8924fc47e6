package dev.sheaf.client.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.bundle.Resolution;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A pulled bundle, every byte verified.
///
/// @param name `namespace/bundle`, or host and repository of another artifact
/// @param version of a bundle; the tag of another artifact, or null
/// @param resolution the registry's answer; null if it was not asked, and for other artifacts
/// @param manifestDigest digest of the OCI manifest, which determines every byte of the bundle
/// @param assets in the order of the manifest
/// @param refused files that were left out because their paths are refused
/// @param fetchedBytes bytes of assets that were fetched; 0 if everything was cached
public record Pulled(
        String name,
        @Nullable String version,
        Digest manifestDigest,
        @Nullable Resolution resolution,
        List<File> assets,
        List<RefusedPath> refused,
        long fetchedBytes) {
    /// A file of the bundle, in the target folder, or in the cache if there is no target. Files of the cache are
    /// shared: do not change them, and expect that a later cleanup removes them.
    public record File(Asset asset, Path file) {}

    public Pulled {
        assets = List.copyOf(assets);
        refused = List.copyOf(refused);
    }

    /// Returns the total size of all assets in bytes.
    public long sizeBytes() {
        return assets.stream().mapToLong(file -> file.asset().size()).sum();
    }
}
