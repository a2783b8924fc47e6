package dev.sheaf.server.http.v2;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.oci.BundleConfig;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.registry.ManifestDocument;
import dev.sheaf.server.registry.Repository;
import java.util.Optional;

/// Where pushes end: wired to the features that own namespaces and publishing. Each asks the access rule again
/// inside its transaction.
public interface PushTarget {
    /// The repository of a first push, made where it is missing; claims a free namespace where the installation
    /// allows that.
    Repository open(Origin origin, RepositoryName name);

    /// Pushes a manifest to a tag: to a version's tag that publishes the version.
    ///
    /// @param config of a bundle's manifest that goes to a version's tag
    void toTag(
            Origin origin, RepositoryName name, String tag, ManifestDocument document, Optional<BundleConfig> config);

    /// Stores a manifest under its digest; nothing is published.
    void toDigest(Origin origin, RepositoryName name, ManifestDocument document);
}
