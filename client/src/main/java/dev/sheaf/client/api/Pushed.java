package dev.sheaf.client.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.bundle.HeldVersion;
import org.jspecify.annotations.Nullable;

/// A pushed version.
///
/// @param manifestDigest determines every byte of the version
/// @param assets the number of files
/// @param sizeBytes the total size of the files, in bytes
/// @param visibility the bundle's visibility; null if the credential may not read it
/// @param held the review that it waits for; null if it is published
/// @param known true if the registry reports that the version existed before; always false for an OCI push
public record Pushed(
        RepositoryName repository,
        Version version,
        Digest manifestDigest,
        int assets,
        long sizeBytes,
        Route route,
        @Nullable Visibility visibility,
        boolean known,
        @Nullable HeldVersion held) {
    /// The protocol of a push. Both protocols give the same digest for the same content.
    public enum Route {
        /// One request with all content.
        JSON,
        /// One request per blob, then the manifest.
        OCI
    }

    /// Returns a copy with this visibility of the bundle.
    public Pushed withVisibility(@Nullable Visibility now) {
        return new Pushed(repository, version, manifestDigest, assets, sizeBytes, route, now, known, held);
    }

    /// Returns the reference to exactly this content: `namespace/bundle@sha256:…`.
    public String pinnedReference() {
        return repository + "@" + manifestDigest;
    }
}
