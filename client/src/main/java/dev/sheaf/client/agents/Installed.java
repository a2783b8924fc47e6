package dev.sheaf.client.agents;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import java.util.List;
import java.util.SortedMap;

/// An installed bundle, as recorded in the lock.
///
/// @param range the wanted range of versions
/// @param things the installed things with their places, relative to the project or the home
public record Installed(
        RegistryUrl registry,
        RepositoryName bundle,
        String range,
        Version version,
        Digest manifest,
        SortedMap<ThingName, List<String>> things) {}
