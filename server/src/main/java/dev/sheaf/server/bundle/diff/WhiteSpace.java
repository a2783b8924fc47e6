package dev.sheaf.server.bundle.diff;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.WireWords;
import java.util.Locale;

/// Whether white space counts when two lines are compared.
public enum WhiteSpace {
    /// Lines differ if any character differs.
    COMPARE,
    /// Lines that differ only in white space are the same, as with `git diff -w`.
    IGNORE;

    public static WhiteSpace parse(String word) {
        return WireWords.find(WhiteSpace.class, word)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(WhiteSpace.class)));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
