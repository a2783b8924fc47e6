package dev.sheaf.model.wire.hub;

import java.util.List;

/// A skill in a public bundle that has several, as a result of a search.
///
/// @param bundle the bundle, such as `acme/kit`
/// @param version the latest version of the bundle
/// @param name the name of the skill
/// @param path the path of its SKILL.md in the bundle
/// @param filesCount the number of its files
/// @param tools the tools that it asks for, without arguments
public record HubSkill(
        String bundle,
        String version,
        String name,
        String description,
        String path,
        int filesCount,
        List<String> tools,
        String installCommand) {
    public HubSkill {
        tools = List.copyOf(tools);
    }
}
