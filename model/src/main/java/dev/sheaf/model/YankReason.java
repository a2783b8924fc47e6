package dev.sheaf.model;

import dev.sheaf.model.text.Quoted;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// What kind of reason a version was yanked for (contract 3.6).
public enum YankReason {
    BROKEN,
    SECURITY,
    LICENSE,
    ACCIDENTAL,
    OTHER;

    /// @throws ProblemException validation-failed where `text` is none of the words
    public static YankReason parse(String text) {
        return Arrays.stream(values())
                .filter(reason -> reason.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> Problem.invalid(
                        "unknown",
                        Quoted.of(text) + " is none of "
                                + Arrays.stream(values())
                                        .map(YankReason::toString)
                                        .collect(Collectors.joining(", "))));
    }

    /// The word on the wire.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
