package dev.sheaf.client.agents;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An agent program, and the folders from which it reads skills and other things.
///
/// @param id the id that `--agent` accepts
/// @param found files and folders that show that a project uses the program
/// @param project its places in a project: paths with `*` for the name
/// @param user its places relative to a user's home
/// @param form the form of an MCP server's entry in its configuration
/// @param combined files whose MCP servers of equal names it combines, member by member: below `~/` in a user's home,
/// the others in a project and in the folders above it
public record Agent(
        String id,
        String name,
        List<String> found,
        Map<ContentKind, String> project,
        Map<ContentKind, String> user,
        ServerForm form,
        List<String> combined) {
    public Agent {
        found = List.copyOf(found);
        project = Map.copyOf(project);
        user = Map.copyOf(user);
        combined = List.copyOf(combined);
    }

    /// Returns the place from which it reads a thing; empty if it does not read things of that kind.
    public Optional<String> place(InstallLevel level, ThingName thing) {
        return Optional.ofNullable(places(level).get(thing.kind())).map(place -> place.replace("*", thing.name()));
    }

    private Map<ContentKind, String> places(InstallLevel level) {
        return level == InstallLevel.USER ? user : project;
    }
}
