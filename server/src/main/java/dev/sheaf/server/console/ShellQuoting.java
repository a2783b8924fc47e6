package dev.sheaf.server.console;

import java.util.regex.Pattern;

/// Quotes words of commands that people copy into a shell.
public final class ShellQuoting {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellQuoting() {}

    /// Quotes any word for a shell (POSIX.1-2024, section 2.2.2).
    public static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
