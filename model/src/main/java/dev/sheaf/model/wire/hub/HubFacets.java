package dev.sheaf.model.wire.hub;

import java.util.List;

/// How many bundles of a search have some property. Each kind is counted as if the search were not
/// filtered by it, so the numbers say what another choice would find. Lists have the most frequent values
/// first, at most 20.
///
/// @param signed the number of bundles whose latest version has a signature
/// @param clean the number of bundles whose latest version was read as a whole, without a finding
/// @param workflow the number of bundles whose latest version was published by a workflow
/// @param licenses `none` stands for no license
/// @param scripts `some` stands for something that runs, `none` for nothing
/// @param tools the tools that skills ask for; `none` stands for skills that ask for none
public record HubFacets(
        long signed,
        long clean,
        long workflow,
        List<Count> types,
        List<Count> licenses,
        List<Count> namespaces,
        List<Count> tools,
        List<Count> categories,
        List<Count> scripts) {
    /// A value and the number of bundles that have it.
    public record Count(String value, long bundleCount) {}

    public HubFacets {
        types = List.copyOf(types);
        licenses = List.copyOf(licenses);
        namespaces = List.copyOf(namespaces);
        tools = List.copyOf(tools);
        categories = List.copyOf(categories);
        scripts = scripts == null ? List.of() : List.copyOf(scripts); // an older registry has none
    }
}
