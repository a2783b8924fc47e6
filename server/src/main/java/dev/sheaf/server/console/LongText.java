package dev.sheaf.server.console;

import dev.sheaf.server.http.message.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A text of several lines from users, as a page shows it: hidden and bidirectional characters are written out,
/// and the text is cut to the room on the page.
///
/// @param isCut whether a part of the text is missing
public record LongText(String text, boolean isCut) {
    /// The number of bytes of a page that most texts may take.
    public static final int MOST = 20 << 10;

    private static final int ESCAPED = 5; // bytes of &amp;, the longest form of a character

    /// @param most the maximum number of bytes of HTML
    public static LongText of(@Nullable String text, int most) {
        var shown = new StringBuilder();
        int left = most;
        String all = PageFormat.text(text).replace("\r\n", "\n");
        int previous = -1;
        for (int i = 0; i < all.length(); ) {
            int c = all.codePointAt(i);
            String piece = piece(c, previous);
            previous = c;
            left -= cost(c, piece);
            if (left < 0) {
                return new LongText(shown.toString(), true);
            }
            shown.append(piece);
            i += Character.charCount(c);
        }
        return new LongText(shown.toString(), false);
    }

    /// Returns JSON with a line for each member.
    ///
    /// @param value the value; null gives an empty text
    public static LongText json(@Nullable Object value, int most) {
        return of(value == null ? "" : Json.lines(value), most);
    }

    private static String piece(int c, int previous) {
        if (c == '\r') {
            return " ";
        }
        return PageFormat.isHidden(c) || PageFormat.isJoinedLatin(c, previous)
                ? String.format("\u2039U+%04X\u203a", c)
                : Character.toString(c);
    }

    private static int cost(int c, String piece) {
        return c == '&' || c == '<' || c == '>' ? ESCAPED : piece.getBytes(StandardCharsets.UTF_8).length;
    }

    public boolean isEmpty() {
        return text.isEmpty();
    }

    /// Returns the maximum number of bytes of HTML that the text takes.
    public int bytes() {
        return text.codePoints().map(c -> cost(c, Character.toString(c))).sum();
    }
}
