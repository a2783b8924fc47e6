package dev.sheaf.server.mcp;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.agents.BundleSkills;

/// What an address is about: whose skills it lists, and of which bundles it lets read.
sealed interface Scope {
    /// The whole registry, which is too much for a list.
    record All() implements Scope {}

    record OfNamespace(Namespace namespace) implements Scope {}

    /// @param target the version whose skills are listed; those of others can be read, since hosts keep the URIs of
    /// what was the latest
    record OfBundle(BundleSkills.Target target) implements Scope {}

    default boolean has(RepositoryName bundle) {
        return switch (this) {
            case All ignored -> true;
            case OfNamespace(Namespace namespace) -> namespace.equals(bundle.namespace());
            case OfBundle(BundleSkills.Target target) -> target.bundle().name().equals(bundle);
        };
    }
}
