package dev.sheaf.server.console;

import java.util.regex.Pattern;

/// Quotes words of commands that people copy into a shell.
public final class Shell {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private Shell() {}

    /// Quotes any word for a shell (POSIX.1-2024, section 2.2.2).
    public static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
