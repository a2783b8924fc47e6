package dev.sheaf.client.agents;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/// A bundle that has a version other than the installed one, or whose installed version was yanked.
///
/// @param range the wanted range of versions
/// @param requiredBy the installed bundles that require it, if it is not wanted itself; otherwise empty
/// @param current the installed version; null if the bundle is not installed
/// @param wanted the version to which the range resolves now; null if no version matches
/// @param latest the version of the tag `latest`; null if the bundle does not have this tag
/// @param yanked how the installed version was withdrawn; null if it was not, or this is unknown
public record OutdatedBundle(
        RepositoryName bundle,
        String range,
        SortedSet<String> requiredBy,
        @Nullable Version current,
        @Nullable Version wanted,
        @Nullable Version latest,
        @Nullable YankedBundle yanked) {}
