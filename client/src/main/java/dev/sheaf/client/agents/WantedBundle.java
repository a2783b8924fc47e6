package dev.sheaf.client.agents;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.VersionSelector;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// A wanted bundle: an entry of `sheaf-install.json`. Immutable.
///
/// @param range a range, a tag, an exact version or a digest
/// @param things the wanted things; empty means everything in the bundle
/// @param agents the ids of the programs for which it is installed
/// @param link whether to write one copy, and links to it in the other places
public record WantedBundle(
        RegistryUrl registry,
        RepositoryName bundle,
        VersionSelector range,
        SortedSet<ThingName> things,
        SortedSet<String> agents,
        boolean link) {
    public WantedBundle {
        things = Collections.unmodifiableSortedSet(new TreeSet<>(things));
        agents = Collections.unmodifiableSortedSet(new TreeSet<>(agents));
    }

    /// Returns the wish for everything in the current version of a bundle, for no program yet.
    public static WantedBundle of(RegistryUrl registry, RepositoryName bundle) {
        return new WantedBundle(
                registry,
                bundle,
                new VersionSelector.Default(),
                Collections.emptySortedSet(),
                Collections.emptySortedSet(),
                false);
    }

    /// Returns a copy with this range.
    ///
    /// @param text a range, a tag, an exact version or a digest; `latest` is the same as the empty string
    public WantedBundle withRange(String text) {
        return new WantedBundle(registry, bundle, range(text), things, agents, link);
    }

    /// Returns a copy for these programs, such as `claude-code`; [Agents] has their ids.
    public WantedBundle withAgents(Collection<String> ids) {
        return new WantedBundle(registry, bundle, range, things, new TreeSet<>(ids), link);
    }

    /// Returns a copy with this way of writing it for several programs.
    public WantedBundle linked(boolean links) {
        return new WantedBundle(registry, bundle, range, things, agents, links);
    }

    /// Returns the reference to resolve.
    public Reference reference() {
        return new Reference(bundle, range);
    }

    /// Returns a copy with these things; none means everything in the bundle.
    public WantedBundle withThings(Collection<ThingName> other) {
        return new WantedBundle(registry, bundle, range, new TreeSet<>(other), agents, link);
    }

    /// Returns whether a thing of the bundle is wanted.
    public boolean wants(ThingName thing) {
        return things.isEmpty() || things.contains(thing);
    }

    /// Parses a range. `latest` is the same as the empty string.
    public static VersionSelector range(String text) {
        return text.equals("latest") ? new VersionSelector.Default() : VersionSelector.parse(text);
    }
}
