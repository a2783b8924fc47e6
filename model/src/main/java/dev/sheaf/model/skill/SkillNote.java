package dev.sheaf.model.skill;

import dev.sheaf.model.LogicalPath;

/// Something about a skill that its author should look at.
///
/// @param path of the file that it is about, in the bundle
/// @param line from 1; 0: the whole file
/// @param message a sentence without its end
public record SkillNote(LogicalPath path, Level level, int line, String message) {
    public enum Level {
        /// Some programs refuse the skill.
        ERROR,
        WARNING,
        /// Good to know.
        INFO
    }
}
