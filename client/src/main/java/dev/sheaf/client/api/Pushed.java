package dev.sheaf.client.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;

/// A version that the registry has acknowledged.
///
/// @param manifestDigest names every byte of it
/// @param assets how many files
/// @param sizeBytes their length together
/// @param route how it went
/// @param known whether it was there already, as far as the registry says so, which an OCI push never hears
public record Pushed(
        RepositoryName repository,
        Version version,
        Digest manifestDigest,
        int assets,
        long sizeBytes,
        Route route,
        boolean known) {
    /// Both give the same digest for the same content.
    public enum Route {
        /// One request with everything in it.
        JSON,
        /// Blob by blob, then the manifest.
        OCI
    }

    /// `namespace/bundle@sha256:…`: this content and no other.
    public String pinnedReference() {
        return repository + "@" + manifestDigest;
    }
}
