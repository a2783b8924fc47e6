package dev.sheaf.client.io;

import java.util.regex.Pattern;

/// Quotes a word for a shell, in suggested commands. For example, the folder of credentials on macOS has a space
/// in its name.
public final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

    private ShellWord() {}

    /// Returns the text, in quotes if necessary.
    public static String of(Object text) {
        String word = text.toString();
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
