package dev.sheaf.server.console;

import java.util.regex.Pattern;

/// Words of commands that people copy into a shell.
public final class Shell {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private Shell() {}

    /// A word as a shell takes it, whatever is in it (POSIX.1-2024, section 2.2.2).
    public static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
