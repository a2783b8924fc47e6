package dev.sheaf.server.skill;

import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.skill.archive.SkillArchive;
import java.util.List;

/// A version as a plugin of Claude Code.
///
/// @param archive of all files of the version
/// @param files all of them
/// @param skills folders of the skills that stand where the program does not look by itself, such as `./tools/pdf`
/// @param described whether it has a manifest of its own, which then says what it consists of
public record Plugin(SkillArchive archive, List<StoredAsset> files, List<String> skills, boolean described) {
    public Plugin {
        files = List.copyOf(files);
        skills = List.copyOf(skills);
    }
}
