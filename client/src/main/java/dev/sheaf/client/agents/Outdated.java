package dev.sheaf.client.agents;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import org.jspecify.annotations.Nullable;

/// A bundle that has another version than the installed one.
///
/// @param range the wanted range of versions
/// @param current the installed version; null if none
/// @param wanted the version that the range means now; null if none
/// @param latest the version of the tag `latest`; null if none
public record Outdated(
        RepositoryName bundle,
        String range,
        @Nullable Version current,
        @Nullable Version wanted,
        @Nullable Version latest) {}
