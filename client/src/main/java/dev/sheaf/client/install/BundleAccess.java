package dev.sheaf.client.install;

import dev.sheaf.client.agents.YankedBundle;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.pull.PartFetch;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Reference;
import dev.sheaf.model.wire.bundle.ResolvedRequirement;
import dev.sheaf.model.wire.bundle.VersionVerdict;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Access to the registries of bundles.
public interface BundleAccess {
    /// Resolves a reference.
    PartFetch.Pinned resolve(RegistryUrl registry, Reference reference, PullOptions options);

    /// Returns all bundles that a version needs; none if the registry does not know of requirements.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Conflict if no versions fit together
    List<ResolvedRequirement> closure(
            RegistryUrl registry, PartFetch.Pinned pinned, PullOptions options, List<Namespace> acceptedOwners);

    /// Returns what the registry says of some versions now, by version. Sends one request.
    ///
    /// @throws dev.sheaf.client.api.SheafException.NotFound if the registry is too old to say
    Map<PartFetch.Pinned, VersionVerdict> verdicts(RegistryUrl registry, List<PartFetch.Pinned> pinned);

    /// Returns how a version was yanked; null if it is not yanked, or this is unknown. Sends one request at most.
    ///
    /// @param offline whether only the last answer counts
    @Nullable
    YankedBundle yanked(RegistryUrl registry, PartFetch.Pinned pinned, boolean offline);

    /// Returns access to the files of one registry's bundles.
    PartFetch parts(RegistryUrl registry);
}
