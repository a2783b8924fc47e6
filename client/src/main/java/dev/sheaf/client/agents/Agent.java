package dev.sheaf.client.agents;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A program for agents, and the folders in which it looks for things.
///
/// @param id as `--agent` accepts it
/// @param found files and folders that show that a project uses it
/// @param project its places in a project: paths with `*` for the name
/// @param user the same, relative to the home of a user
/// @param form of a server's entry in its configuration
public record Agent(
        String id,
        String name,
        List<String> found,
        Map<Kind, String> project,
        Map<Kind, String> user,
        ServerForm form) {
    public Agent {
        found = List.copyOf(found);
        project = Map.copyOf(project);
        user = Map.copyOf(user);
    }

    /// Returns where it looks for a thing; empty if it does not read things of that kind.
    public Optional<String> place(Level level, ThingName thing) {
        return Optional.ofNullable(places(level).get(thing.kind())).map(place -> place.replace("*", thing.name()));
    }

    private Map<Kind, String> places(Level level) {
        return level == Level.USER ? user : project;
    }
}
