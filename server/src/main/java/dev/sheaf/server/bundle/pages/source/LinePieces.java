package dev.sheaf.server.bundle.pages.source;

import java.util.ArrayList;
import java.util.List;

/// Splits a line into pieces with the same marks, as far as a page has room.
public final class LinePieces {
    private final MarkedText marked;
    private final String text;
    private final List<LinePiece> made = new ArrayList<>();
    private int room;
    private int at;

    private LinePieces(MarkedText marked, int from, int room) {
        this.marked = marked;
        this.text = marked.text();
        this.at = from;
        this.room = room;
    }

    /// The pieces of a text.
    ///
    /// @param end the position at which the rest begins
    /// @param weight an estimate of the bytes that they take on a page
    public record Taken(List<LinePiece> pieces, int end, int weight) {}

    /// @param from the position at which to begin, within one line
    /// @param to the end of that line
    /// @param room the available bytes of a page; at least one piece is taken, even if it is larger
    public static Taken of(MarkedText marked, int from, int to, int room) {
        var pieces = new LinePieces(marked, from, room);
        while (pieces.at < to && (pieces.room > 0 || pieces.made.isEmpty())) {
            pieces.next(to);
        }
        return new Taken(pieces.made, pieces.at, room - pieces.room);
    }

    private void next(int to) {
        boolean changed = marked.isChanged(at);
        if (marked.isSecret(at)) {
            secret(to, changed);
        } else if (marked.isHidden(at)) {
            hidden(to, changed);
        } else {
            plain(to, changed);
        }
    }

    private void add(LinePiece piece) {
        made.add(piece);
        room -= piece.weight();
    }

    private void secret(int to, boolean changed) {
        int from = at;
        while (at < to && marked.isSecret(at) && !marked.isCovered(at)) {
            at++;
        }
        String shown = text.substring(from, at);
        while (at < to && marked.isCovered(at)) {
            at++;
        }
        add(new LinePiece(shown, changed, LinePiece.Mark.SECRET, ""));
    }

    /// Adds hidden characters; equal neighbours become one piece.
    private void hidden(int to, boolean changed) {
        int c = text.codePointAt(at);
        int count = 0;
        while (at < to && marked.isHidden(at) && text.codePointAt(at) == c) {
            at += Character.charCount(c);
            count++;
        }
        String code = MarkedText.code(c);
        String name = Character.getName(c);
        add(new LinePiece(
                count == 1 ? code : code + " \u00D7 " + count,
                changed,
                LinePiece.Mark.HIDDEN,
                name == null ? "a character without a name" : name));
    }

    private void plain(int to, boolean changed) {
        int from = at;
        int weight = 0;
        while (at < to && weight <= room && isPlain(changed)) {
            weight += LinePiece.weight(text.charAt(at));
            at++;
        }
        if (at == from) {
            at++; // at least one
        }
        if (at < to && Character.isLowSurrogate(text.charAt(at)) && Character.isHighSurrogate(text.charAt(at - 1))) {
            at++;
        }
        add(new LinePiece(text.substring(from, at), changed, LinePiece.Mark.NONE, ""));
    }

    private boolean isPlain(boolean changed) {
        return marked.isChanged(at) == changed && !marked.isSecret(at) && !marked.isHidden(at);
    }
}
