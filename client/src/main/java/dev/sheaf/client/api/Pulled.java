package dev.sheaf.client.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.bundle.Resolution;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A pulled bundle or other artifact. Every byte is verified.
///
/// @param name `namespace/bundle`, or the host and repository of another artifact
/// @param version the version of a bundle, or the tag of another artifact; null if the artifact has no tag
/// @param resolution the registry's answer; null if the registry was not asked, and for other artifacts
/// @param manifestDigest the digest of the OCI manifest, which determines every byte of the bundle
/// @param assets the files in the order of the manifest
/// @param refused the files that were left out because their paths are refused
/// @param fetchedBytes the number of fetched bytes; 0 if everything was cached
public record Pulled(
        String name,
        @Nullable String version,
        Digest manifestDigest,
        @Nullable Resolution resolution,
        List<File> assets,
        List<RefusedPath> refused,
        long fetchedBytes) {
    /// A file of the bundle, in the target folder, or in the cache if there is no target. Files in the cache
    /// are shared: do not change them. A later cleanup may remove them.
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
