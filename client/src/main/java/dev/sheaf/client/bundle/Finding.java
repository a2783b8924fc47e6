package dev.sheaf.client.bundle;

import dev.sheaf.model.skill.SkillNote;
import java.util.List;

/// A problem of a file, for its author.
///
/// @param file the path relative to the bundle's folder
/// @param line the line number, from 1; 0 for the whole file
public record Finding(String file, int line, Severity severity, String message) {
    /// Whether a push is refused.
    public enum Severity {
        /// The bundle cannot be published, or will not work.
        ERROR,
        WARNING,
        /// Information; nothing is wrong.
        INFO
    }

    static Finding of(SkillNote note) {
        var severity = switch (note.level()) {
            case ERROR -> Severity.ERROR;
            case WARNING -> Severity.WARNING;
            case INFO -> Severity.INFO;
        };
        return new Finding(note.path().value(), note.line(), severity, note.message());
    }

    static Finding error(String file, int line, String message) {
        return new Finding(file, line, Severity.ERROR, message);
    }

    static Finding warning(String file, int line, String message) {
        return new Finding(file, line, Severity.WARNING, message);
    }

    /// Returns copies that do not prevent publishing.
    static List<Finding> asWarnings(List<Finding> findings) {
        return findings.stream()
                .map(finding -> warning(finding.file(), finding.line(), finding.message()))
                .toList();
    }

    /// Returns copies that prevent publishing.
    public static List<Finding> asErrors(List<Finding> findings) {
        return findings.stream()
                .map(finding -> error(finding.file(), finding.line(), finding.message()))
                .toList();
    }

    /// Returns `file:line: message`.
    @Override
    public String toString() {
        return file + (line > 0 ? ":" + line : "") + ": " + message;
    }
}
