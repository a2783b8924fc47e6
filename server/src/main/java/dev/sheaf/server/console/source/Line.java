package dev.sheaf.server.console.source;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A line of a text.
///
/// @param number from 1
/// @param tone `bad` if it contains hidden characters, `warn` if it contains a probable secret, otherwise null
public record Line(int number, @Nullable String tone, List<Piece> pieces) {
    public Line {
        pieces = List.copyOf(pieces);
    }

    static Line of(int number, List<Piece> pieces) {
        boolean hidden = pieces.stream().anyMatch(Piece::isHidden);
        boolean secret = pieces.stream().anyMatch(Piece::isSecret);
        return new Line(number, hidden ? "bad" : secret ? "warn" : null, pieces);
    }
}
