package dev.sheaf.server.mcp;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.agents.BundleSkills;

/// The scope of an address: which skills it lists, and which bundles it can read.
sealed interface AddressScope {
    /// The whole registry. Its skills are not listed, because there would be too many.
    record All() implements AddressScope {}

    record OfNamespace(Namespace namespace) implements AddressScope {}

    /// @param target the version whose skills are listed. Skills of other versions can be read too, because
    /// hosts keep URIs of versions that used to be the latest
    record OfBundle(BundleSkills.Target target) implements AddressScope {}

    default boolean has(RepositoryName bundle) {
        return switch (this) {
            case All ignored -> true;
            case OfNamespace(Namespace namespace) -> namespace.equals(bundle.namespace());
            case OfBundle(BundleSkills.Target target) -> target.bundle().name().equals(bundle);
        };
    }
}
