package dev.sheaf.engine.db;

import java.util.Locale;

/// Patterns for the operator LIKE, with `ESCAPE '!'`.
public final class LikePattern {
    private LikePattern() {}

    /// Returns a pattern for lower-case texts that contain this one, ignoring its case.
    public static String containing(String text) {
        String literal = text.toLowerCase(Locale.ROOT)
                .replace("!", "!!")
                .replace("%", "!%")
                .replace("_", "!_");
        return "%" + literal + "%";
    }
}
