package dev.sheaf.client.install;

import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.pull.Parts;
import dev.sheaf.model.Reference;

/// Access to the registries of bundles.
public interface Supply {
    /// Resolves a reference.
    Parts.Pinned resolve(RegistryUrl registry, Reference reference, PullOptions options);

    /// Returns access to the files of one registry's bundles.
    Parts parts(RegistryUrl registry);
}
