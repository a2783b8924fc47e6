package dev.sheaf.model.wire.admin;

import java.util.List;

/// What a purge removed, and what it could not remove (contract 3.7).
///
/// @param removed digests of content that no repository of the organization contains any more
/// @param workingAssets paths removed from the working assets of the bundle
/// @param pending digests among `removed` whose bytes could not be deleted from storage yet; retried every minute
public record PurgeReport(
        String namespace,
        String slug,
        String version,
        String ociDigest,
        List<String> removed,
        List<Kept> kept,
        List<String> workingAssets,
        List<String> pending) {
    /// Content that was kept because other things in the organization need it.
    ///
    /// @param holders what needs it, such as `acme/kit@sha256:…`
    public record Kept(String digest, List<String> holders) {}
}
