package dev.sheaf.model;

import dev.sheaf.model.text.WireWords;
import java.util.Locale;

/// The kind of reason for yanking a version (contract 3.6).
public enum YankReason {
    BROKEN,
    SECURITY,
    LICENSE,
    ACCIDENTAL,
    OTHER;

    /// Parses the name on the wire.
    ///
    /// @throws ProblemException validation-failed for any other word
    public static YankReason parse(String text) {
        return WireWords.find(YankReason.class, text)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(YankReason.class)));
    }

    /// Returns the name on the wire.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
