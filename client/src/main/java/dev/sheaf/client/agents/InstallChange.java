package dev.sheaf.client.agents;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The change of one bundle.
///
/// @param from the previous version; null if it was not installed
/// @param to the new version; null if it was removed
/// @param added new things
/// @param changed things whose files or places changed
/// @param removed things that were removed
public record InstallChange(
        RepositoryName bundle,
        @Nullable Version from,
        @Nullable Version to,
        List<ThingName> added,
        List<ThingName> changed,
        List<ThingName> removed) {}
