package dev.sheaf.client.io;

import java.util.regex.Pattern;

/// Writes a word so that a shell reads it as one, for commands that are advised. On macOS the folder of credentials
/// has a space in its name.
public final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

    private ShellWord() {}

    /// The text, in quotes where it needs them.
    public static String of(Object text) {
        String word = text.toString();
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
