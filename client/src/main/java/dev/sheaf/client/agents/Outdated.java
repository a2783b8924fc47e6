package dev.sheaf.client.agents;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import org.jspecify.annotations.Nullable;

/// A bundle of which there is another version than the one that is installed.
///
/// @param range what is wanted of it
/// @param current what is installed; null where nothing is
/// @param wanted what the range means now; null where nothing does
/// @param latest what the tag `latest` means; null where there is none
public record Outdated(
        RepositoryName bundle,
        String range,
        @Nullable Version current,
        @Nullable Version wanted,
        @Nullable Version latest) {}
