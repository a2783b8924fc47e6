package dev.sheaf.model;

import dev.sheaf.model.text.WireWords;
import java.util.Locale;

/// How bad it is to use a recalled version, from the least to the worst.
public enum RecallSeverity {
    LOW,
    MEDIUM,
    HIGH,
    CRITICAL;

    /// Parses the name on the wire.
    ///
    /// @throws ProblemException validation-failed for any other word
    public static RecallSeverity parse(String text) {
        return WireWords.find(RecallSeverity.class, text)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(RecallSeverity.class)));
    }

    /// Returns the name on the wire.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
