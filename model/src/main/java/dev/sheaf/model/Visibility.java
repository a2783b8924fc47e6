package dev.sheaf.model;

import dev.sheaf.model.text.Quoted;
import java.util.Locale;

/// The readers of a bundle: everybody, or only its organization.
public enum Visibility {
    PRIVATE,
    PUBLIC;

    /// Parses the name on the wire.
    ///
    /// @throws ProblemException validation-failed for any other word
    public static Visibility parse(String wire) {
        return switch (wire) {
            case "private" -> PRIVATE;
            case "public" -> PUBLIC;
            default -> throw Problem.invalid("format", "must be \"private\" or \"public\", not " + Quoted.of(wire));
        };
    }

    /// Returns the name on the wire: `private` or `public`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
