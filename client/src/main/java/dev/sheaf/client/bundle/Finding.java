package dev.sheaf.client.bundle;

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

    /// `file:line: message`.
    @Override
    public String toString() {
        return file + (line > 0 ? ":" + line : "") + ": " + message;
    }
}
