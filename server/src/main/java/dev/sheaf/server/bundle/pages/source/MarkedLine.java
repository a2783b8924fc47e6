package dev.sheaf.server.bundle.pages.source;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A line of a text.
///
/// @param number from 1
/// @param tone `bad` if it contains hidden characters, `warn` if it contains a probable secret, otherwise null
public record MarkedLine(int number, @Nullable String tone, List<LinePiece> pieces) {
    public MarkedLine {
        pieces = List.copyOf(pieces);
    }

    static MarkedLine of(int number, List<LinePiece> pieces) {
        boolean hidden = pieces.stream().anyMatch(LinePiece::isHidden);
        boolean secret = pieces.stream().anyMatch(LinePiece::isSecret);
        return new MarkedLine(number, hidden ? "bad" : secret ? "warn" : null, pieces);
    }
}
