package dev.sheaf.server.bundle.pages.source;

import java.util.ArrayList;
import java.util.List;

/// The lines of a text that fit into a page.
///
/// @param from the position at which it begins in the text
/// @param next the position at which the rest begins; the text's length if there is no rest
public record SourceExcerpt(List<MarkedLine> lines, int from, int next) {
    private static final int MAX_LINES = 2_000;
    private static final int LINE = 48; // bytes of the elements of a line
    private static final int WHOLE = 4 << 10; // bytes of a line that is not split, unless it begins a page

    public SourceExcerpt {
        lines = List.copyOf(lines);
    }

    /// @param from a position in the text, moved to the nearest valid one
    /// @param room the available bytes of a page
    public static SourceExcerpt of(MarkedText marked, int from, int room) {
        String text = marked.text();
        int begin = place(text, from);
        int number = 1 + feeds(text, begin);
        var lines = new ArrayList<MarkedLine>();
        int at = begin;
        int left = room;
        while (at < text.length() && left > 0 && lines.size() < MAX_LINES) {
            int feed = text.indexOf('\n', at);
            int end = feed < 0 ? text.length() : feed;
            var taken = LinePieces.of(marked, at, end(text, at, end), left - LINE);
            boolean whole = taken.end() >= end(text, at, end);
            if (!whole && !lines.isEmpty() && taken.weight() < WHOLE) {
                break;
            }
            lines.add(MarkedLine.of(number, taken.pieces()));
            left -= LINE + taken.weight();
            at = whole ? Math.min(text.length(), end + 1) : taken.end();
            number++;
            if (!whole) {
                break;
            }
        }
        return new SourceExcerpt(lines, begin, at);
    }

    /// Returns the end of a line without its carriage return.
    private static int end(String text, int at, int end) {
        return end > at && end < text.length() && text.charAt(end - 1) == '\r' ? end - 1 : end;
    }

    private static int place(String text, int from) {
        int at = Math.clamp(from, 0, text.length());
        return at > 0 && at < text.length() && Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
    }

    /// Counts the line feeds before a position.
    static int feeds(String text, int to) {
        int count = 0;
        for (int at = text.indexOf('\n'); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
            count++;
        }
        return count;
    }

    /// Returns the position at which a line begins; of the last line if there are fewer lines.
    public static int lineStart(String text, int number) {
        int at = 0;
        for (int line = 1; line < number; line++) {
            int feed = text.indexOf('\n', at);
            if (feed < 0 || feed + 1 == text.length()) {
                break;
            }
            at = feed + 1;
        }
        return at;
    }

    /// Returns the number of lines of a text.
    public static int count(String text) {
        int feeds = feeds(text, text.length());
        return text.isEmpty() || text.endsWith("\n") ? feeds : feeds + 1;
    }

    public int firstLine() {
        return lines.isEmpty() ? 1 : lines.getFirst().number();
    }

    public int lastLine() {
        return lines.isEmpty() ? 1 : lines.getLast().number();
    }
}
