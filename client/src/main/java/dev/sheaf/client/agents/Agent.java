package dev.sheaf.client.agents;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A program for agents, and where it looks for things.
///
/// @param id as `--agent` takes it
/// @param found files and folders that tell that a project uses it
/// @param project where it looks in a project: a path with `*` for the name
/// @param user the same below the home of a user
/// @param form how it wants the entry of a server
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

    /// Where it looks for a thing; empty where it reads none of that kind.
    public Optional<String> place(Level level, ThingName thing) {
        return Optional.ofNullable(places(level).get(thing.kind())).map(place -> place.replace("*", thing.name()));
    }

    private Map<Kind, String> places(Level level) {
        return level == Level.USER ? user : project;
    }
}
