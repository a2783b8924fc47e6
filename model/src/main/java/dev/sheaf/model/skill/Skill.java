package dev.sheaf.model.skill;

import dev.sheaf.model.LogicalPath;
import java.util.List;

/// A folder of a bundle that is a skill.
///
/// @param name of the folder; at the root the bundle's slug
/// @param folder ends with a slash; empty: the root
/// @param document its SKILL.md
/// @param files by path, including the document
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
