package dev.sheaf.client.agents;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Selector;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// What a project wants of a bundle: an entry of `sheaf-install.json`. Immutable.
///
/// @param range which version: a range, a tag, an exact version or a digest
/// @param things none: all that the bundle has
/// @param agents ids of the programs that are to have them
/// @param link whether only one copy is made, and the other places link to it
public record Wish(
        RegistryUrl registry,
        RepositoryName bundle,
        Selector range,
        SortedSet<ThingName> things,
        SortedSet<String> agents,
        boolean link) {
    public Wish {
        things = Collections.unmodifiableSortedSet(new TreeSet<>(things));
        agents = Collections.unmodifiableSortedSet(new TreeSet<>(agents));
    }

    /// What the registry is asked.
    public Reference reference() {
        return new Reference(bundle, range);
    }

    /// The same with these things.
    public Wish withThings(Collection<ThingName> other) {
        return new Wish(registry, bundle, range, new TreeSet<>(other), agents, link);
    }

    public boolean wants(ThingName thing) {
        return things.isEmpty() || things.contains(thing);
    }

    /// `latest` is what nothing means, too.
    public static Selector range(String text) {
        return text.equals("latest") ? new Selector.Default() : Selector.parse(text);
    }
}
