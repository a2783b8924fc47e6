package dev.sheaf.client.bundle;

import java.util.List;

/// Something about a file that its author should look at.
///
/// @param file relative to the bundle's folder
/// @param line from 1; 0 where it is about the whole file
public record Finding(String file, int line, Severity severity, String message) {
    public enum Severity {
        /// It cannot be published, or will not work.
        ERROR,
        WARNING,
        /// Good to know, and nothing wrong.
        INFO
    }

    static Finding error(String file, int line, String message) {
        return new Finding(file, line, Severity.ERROR, message);
    }

    static Finding warning(String file, int line, String message) {
        return new Finding(file, line, Severity.WARNING, message);
    }

    /// The same, of which none stands in the way.
    static List<Finding> asWarnings(List<Finding> findings) {
        return findings.stream()
                .map(finding -> warning(finding.file(), finding.line(), finding.message()))
                .toList();
    }

    /// The same, each of which stands in the way.
    public static List<Finding> asErrors(List<Finding> findings) {
        return findings.stream()
                .map(finding -> error(finding.file(), finding.line(), finding.message()))
                .toList();
    }

    /// `file:line: message`.
    @Override
    public String toString() {
        return file + (line > 0 ? ":" + line : "") + ": " + message;
    }
}
