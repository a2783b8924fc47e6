package dev.sheaf.client.agents;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/// An installed bundle, as recorded in the lock.
///
/// @param range the wanted range of versions
/// @param yanked how the version was withdrawn; null if it was not, or this is unknown
/// @param requiredBy the installed bundles that require it, as `namespace/bundle`; empty if it is only wanted itself
/// @param things the installed things with their places, relative to the project or the home
public record InstalledBundle(
        RegistryUrl registry,
        RepositoryName bundle,
        String range,
        Version version,
        Digest manifest,
        @Nullable YankedBundle yanked,
        SortedSet<String> requiredBy,
        SortedMap<ThingName, List<String>> things) {}
