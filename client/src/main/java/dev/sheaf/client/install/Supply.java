package dev.sheaf.client.install;

import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.pull.Parts;
import dev.sheaf.model.Reference;

/// The registries that bundles come from.
public interface Supply {
    /// What a reference means now.
    Parts.Pinned resolve(RegistryUrl registry, Reference reference, PullOptions options);

    /// The files of one registry's bundles.
    Parts parts(RegistryUrl registry);
}
