package dev.sheaf.client.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;

/// A published version.
///
/// @param manifestDigest determines every byte of it
/// @param assets number of files
/// @param sizeBytes their total size
/// @param route of the push
/// @param known whether it existed before, if the registry says so; an OCI push never learns it
public record Pushed(
        RepositoryName repository,
        Version version,
        Digest manifestDigest,
        int assets,
        long sizeBytes,
        Route route,
        boolean known) {
    /// The way of a push. Both give the same digest for the same content.
    public enum Route {
        /// One request with all content.
        JSON,
        /// One request per blob, then the manifest.
        OCI
    }

    /// Returns the reference to exactly this content: `namespace/bundle@sha256:…`.
    public String pinnedReference() {
        return repository + "@" + manifestDigest;
    }
}
