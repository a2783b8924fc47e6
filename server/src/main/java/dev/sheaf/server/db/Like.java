package dev.sheaf.server.db;

import java.util.Locale;

/// Patterns for the operator LIKE, with `ESCAPE '!'`.
public final class Like {
    private Like() {}

    /// Of texts in lower case that have this one somewhere in them, with its upper case as lower case.
    public static String containing(String text) {
        String literal = text.toLowerCase(Locale.ROOT)
                .replace("!", "!!")
                .replace("%", "!%")
                .replace("_", "!_");
        return "%" + literal + "%";
    }
}
