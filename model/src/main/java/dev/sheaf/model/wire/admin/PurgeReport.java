package dev.sheaf.model.wire.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a purge (contract 3.7).
///
/// @param removed the digests of content that no repository of the organization contains any more
/// @param workingAssets the paths removed from the working assets of the bundle
/// @param pending the digests in `removed` whose bytes are not deleted from storage yet; the registry retries
/// every minute
/// @param warnings a sentence that names public bundles of others which require the bundle; null if there are none
public record PurgeReport(
        String namespace,
        String slug,
        String version,
        String ociDigest,
        List<String> removed,
        List<Kept> kept,
        List<String> workingAssets,
        List<String> pending,
        @Nullable List<String> warnings) {
    /// Content that was kept because something else in the organization needs it.
    ///
    /// @param holders the manifests and assets that need it, such as `acme/kit@sha256:…`
    public record Kept(String digest, List<String> holders) {}
}
