package dev.sheaf.client.agents;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import java.util.List;
import java.util.SortedMap;

/// What is installed of a bundle, by the lock.
///
/// @param range what is wanted of it
/// @param things where each of them lies, below the project or the home
public record Installed(
        RegistryUrl registry,
        RepositoryName bundle,
        String range,
        Version version,
        Digest manifest,
        SortedMap<ThingName, List<String>> things) {}
