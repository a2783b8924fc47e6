package dev.sheaf.server.console.source;

import java.util.ArrayList;
import java.util.List;

/// Splits a line into pieces of the same style, as far as a page has room.
public final class Pieces {
    private final Painted painted;
    private final String text;
    private final List<Piece> made = new ArrayList<>();
    private int room;
    private int at;

    private Pieces(Painted painted, int from, int room) {
        this.painted = painted;
        this.text = painted.text();
        this.at = from;
        this.room = room;
    }

    /// The pieces of a text.
    ///
    /// @param end the position at which the rest begins
    /// @param weight an estimate of the bytes that they take on a page
    public record Taken(List<Piece> pieces, int end, int weight) {}

    /// @param from the position at which to begin, within one line
    /// @param to the end of that line
    /// @param room the available bytes of a page; at least one piece is taken, even if it is larger
    public static Taken of(Painted painted, int from, int to, int room) {
        var pieces = new Pieces(painted, from, room);
        while (pieces.at < to && (pieces.room > 0 || pieces.made.isEmpty())) {
            pieces.next(to);
        }
        return new Taken(pieces.made, pieces.at, room - pieces.room);
    }

    private void next(int to) {
        var style = Style.of(painted.style(at));
        if (painted.isSecret(at)) {
            secret(to, style);
        } else if (painted.isHidden(at)) {
            hidden(to, style);
        } else {
            plain(to, style);
        }
    }

    private void add(Piece piece) {
        made.add(piece);
        room -= piece.weight();
    }

    private void secret(int to, Style style) {
        int from = at;
        while (at < to && painted.isSecret(at) && !painted.isCovered(at)) {
            at++;
        }
        String shown = text.substring(from, at);
        while (at < to && painted.isCovered(at)) {
            at++;
        }
        add(new Piece(shown, style, Piece.Mark.SECRET, ""));
    }

    /// Adds hidden characters; equal neighbours become one piece.
    private void hidden(int to, Style style) {
        int c = text.codePointAt(at);
        int count = 0;
        while (at < to && painted.isHidden(at) && text.codePointAt(at) == c) {
            at += Character.charCount(c);
            count++;
        }
        String code = Painted.code(c);
        String name = Character.getName(c);
        add(new Piece(
                count == 1 ? code : code + " \u00D7 " + count,
                style,
                Piece.Mark.HIDDEN,
                name == null ? "a character without a name" : name));
    }

    private void plain(int to, Style style) {
        int from = at;
        int weight = 0;
        byte ordinal = painted.style(at);
        while (at < to && weight <= room && isPlain(ordinal)) {
            weight += Piece.weight(text.charAt(at));
            at++;
        }
        if (at == from) {
            at++; // at least one
        }
        if (at < to && Character.isLowSurrogate(text.charAt(at)) && Character.isHighSurrogate(text.charAt(at - 1))) {
            at++;
        }
        add(new Piece(text.substring(from, at), style, Piece.Mark.NONE, ""));
    }

    private boolean isPlain(byte ordinal) {
        return painted.style(at) == ordinal && !painted.isSecret(at) && !painted.isHidden(at);
    }
}
