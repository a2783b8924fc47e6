package dev.sheaf.model.skill;

import dev.sheaf.model.LogicalPath;
import java.util.List;

/// A folder of a bundle that is a skill.
///
/// @param name the name of the folder, or the bundle's slug for a skill at the root
/// @param folder the path with a slash at the end; empty for the root
/// @param document the SKILL.md
/// @param files ordered by path, including the document
/// @param <T> a file of a bundle
public record Skill<T>(String name, String folder, T document, List<T> files) {
    public Skill {
        files = List.copyOf(files);
    }

    /// Returns the path of a file of the bundle relative to the skill.
    public String inside(LogicalPath path) {
        return path.value().substring(folder.length());
    }
}
