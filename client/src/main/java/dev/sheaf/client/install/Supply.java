package dev.sheaf.client.install;

import dev.sheaf.client.agents.Yanked;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.pull.Parts;
import dev.sheaf.model.Reference;
import org.jspecify.annotations.Nullable;

/// Access to the registries of bundles.
public interface Supply {
    /// Resolves a reference.
    Parts.Pinned resolve(RegistryUrl registry, Reference reference, PullOptions options);

    /// Returns how a version was yanked; null if it is not yanked, or this is unknown. Sends one request at most.
    ///
    /// @param offline whether only the last answer counts
    @Nullable
    Yanked yanked(RegistryUrl registry, Parts.Pinned pinned, boolean offline);

    /// Returns access to the files of one registry's bundles.
    Parts parts(RegistryUrl registry);
}
