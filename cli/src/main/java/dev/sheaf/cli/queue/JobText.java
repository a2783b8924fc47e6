package dev.sheaf.cli.queue;

import dev.sheaf.cli.terminal.TextFormat;
import org.jspecify.annotations.Nullable;

/// Formats the failures of jobs for people.
public final class JobText {
    private static final int LONGEST = 200;

    private JobText() {}

    /// Returns the code and the last line of the message, which usually names the cause; `-` if there is no
    /// code.
    public static String failure(@Nullable String code, @Nullable String message) {
        return code == null ? "-" : code + detail(message);
    }

    /// Returns a colon and the last line of a message, cut to 200 columns; empty if there is no message.
    public static String detail(@Nullable String message) {
        if (message == null || message.isBlank()) {
            return "";
        }
        return ": " + lastLine(message);
    }

    /// Returns the last line of a message, cut to 200 columns, with a mark if there are lines before it.
    static String lastLine(String message) {
        var lines = message.strip().lines().toList();
        return lines.isEmpty()
                ? ""
                : (lines.size() > 1 ? "… " : "")
                        + TextFormat.cut(lines.getLast().strip(), LONGEST);
    }
}
