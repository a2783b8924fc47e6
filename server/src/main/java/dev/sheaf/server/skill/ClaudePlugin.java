package dev.sheaf.server.skill;

import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.skill.archive.SkillArchive;
import java.util.List;

/// A version as a plugin of Claude Code.
///
/// @param archive contains all files of the version, and those that are derived for it
/// @param files all files of the version
/// @param skills folders of skills where Claude Code does not look automatically, such as `./tools/pdf`
/// @param described whether it has a manifest, its own or a derived one: programs then read both, the manifest and the
/// list
public record ClaudePlugin(SkillArchive archive, List<StoredAsset> files, List<String> skills, boolean described) {
    public ClaudePlugin {
        files = List.copyOf(files);
        skills = List.copyOf(skills);
    }
}
