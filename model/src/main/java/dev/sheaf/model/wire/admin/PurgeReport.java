package dev.sheaf.model.wire.admin;

import java.util.List;

/// What a purge took away, and what it had to leave (contract 3.7).
///
/// @param removed digests of content that no repository of the organization holds any more
/// @param workingAssets paths that went from the bundle as it is being edited
/// @param pending digests among `removed` whose bytes the store could not remove yet; it is tried again every
/// minute
public record PurgeReport(
        String namespace,
        String slug,
        String version,
        String ociDigest,
        List<String> removed,
        List<Kept> kept,
        List<String> workingAssets,
        List<String> pending) {
    /// Content that stays, since other things of the organization need it.
    ///
    /// @param holders such as `acme/kit@sha256:…`
    public record Kept(String digest, List<String> holders) {}
}
