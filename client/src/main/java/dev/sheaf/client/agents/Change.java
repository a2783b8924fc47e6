package dev.sheaf.client.agents;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What has become of one bundle.
///
/// @param from the version before; null where there was none
/// @param to the version now; null where it was removed
/// @param added things that are new here
/// @param changed things with other files or places than before
/// @param removed things that are no longer here
public record Change(
        RepositoryName bundle,
        @Nullable Version from,
        @Nullable Version to,
        List<ThingName> added,
        List<ThingName> changed,
        List<ThingName> removed) {}
