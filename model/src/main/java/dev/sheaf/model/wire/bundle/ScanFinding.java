package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// What a scan found in a version, or in a push.
///
/// @param rule the id of the rule; `not-read` for a file that was not read to its end
/// @param severity `info`, `low`, `medium` or `high`; null for a file that was not read to its end, which needs
/// approval like any finding
/// @param path null if it is about all files
/// @param line from 1; null if it is about the whole file
/// @param text what was found, in one line
/// @param advice what to do; null if the scanner gave none
/// @param scanner the name of the scanner that reported it; null for the registry itself
public record ScanFinding(
        String rule,
        @Nullable String severity,
        @Nullable String path,
        @Nullable Integer line,
        String text,
        @Nullable String advice,
        @Nullable String scanner) {
    /// The rule of files that were not read to their end.
    public static final String NOT_READ = "not-read";

    /// Returns where it is, such as `SKILL.md:3`; empty if it is about all files.
    public String place() {
        return path == null ? "" : path + (line == null ? "" : ":" + line);
    }

    /// Returns it in one line.
    public String sentence() {
        return (path == null ? "" : place() + ": ") + text + " (" + rule + (severity == null ? "" : ", " + severity)
                + (scanner == null ? "" : ", by " + scanner) + ")"
                + (advice == null ? "" : ": " + advice.replaceFirst("[.]$", ""));
    }
}
