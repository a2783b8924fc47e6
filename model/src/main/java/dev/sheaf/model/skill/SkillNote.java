package dev.sheaf.model.skill;

import dev.sheaf.model.LogicalPath;

/// A finding about a skill or a plugin for its author.
///
/// @param path the path of the file in the bundle
/// @param line the line number, from 1; 0 for the whole file
/// @param message a sentence without a full stop
public record SkillNote(LogicalPath path, Level level, int line, String message) {
    /// How severe a note is.
    public enum Level {
        /// Some programs refuse it.
        ERROR,
        WARNING,
        /// For information.
        INFO
    }
}
