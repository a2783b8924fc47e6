package dev.sheaf.model.wire.hub;

import dev.sheaf.model.wire.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A page of a search at the hub. Besides the bundles, it has what the request asks for.
///
/// @param total the number of bundles that match; with `facets=true`
/// @param isTotalExact false if there may be more, because the registry has more bundles than it counts; with
///     `facets=true`
/// @param facets with `facets=true`
/// @param suggestion the search with misspelled words replaced, if it finds nothing and the replaced one
/// does; with
///     `facets=true`
/// @param skills the skills that match in those bundles of this page that have several; with `skills=true`
public record HubPage(
        List<HubBundle> data,
        Page.Meta meta,
        @Nullable Long total,
        @Nullable Boolean isTotalExact,
        @Nullable HubFacets facets,
        @Nullable String suggestion,
        @Nullable List<HubSkill> skills) {
    public HubPage {
        data = List.copyOf(data);
    }
}
