package dev.sheaf.model;

import dev.sheaf.model.text.Words;
import java.util.Locale;

/// What kind of reason a version was yanked for (contract 3.6).
public enum YankReason {
    BROKEN,
    SECURITY,
    LICENSE,
    ACCIDENTAL,
    OTHER;

    /// @throws ProblemException validation-failed where `text` is none of the words
    public static YankReason parse(String text) {
        return Words.find(YankReason.class, text)
                .orElseThrow(() -> Problem.invalid("unknown", Words.oneOf(YankReason.class)));
    }

    /// The word on the wire.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
