package dev.sheaf.server.console;

import dev.sheaf.server.http.message.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A text of several lines that strangers wrote, as a page shows it: hidden and bidirectional characters written out,
/// and
/// no longer than the page has room for.
///
/// @param isCut whether there is more of it
public record LongText(String text, boolean isCut) {
    /// How many bytes most texts may take of a page.
    public static final int MOST = 20 << 10;

    private static final int ESCAPED = 5; // bytes of &amp;, the longest that a character becomes

    /// @param most bytes of HTML
    public static LongText of(@Nullable String text, int most) {
        var shown = new StringBuilder();
        int left = most;
        String all = Show.text(text).replace("\r\n", "\n");
        for (int i = 0; i < all.length(); ) {
            int c = all.codePointAt(i);
            String piece = piece(c);
            left -= cost(c, piece);
            if (left < 0) {
                return new LongText(shown.toString(), true);
            }
            shown.append(piece);
            i += Character.charCount(c);
        }
        return new LongText(shown.toString(), false);
    }

    /// JSON with a line for each member.
    ///
    /// @param value null: an empty text
    public static LongText json(@Nullable Object value, int most) {
        return of(value == null ? "" : Json.lines(value), most);
    }

    private static String piece(int c) {
        return c != '\n' && c != '\t' && (Show.isHidden(c) || c == '\r')
                ? Show.visible(Character.toString(c))
                : Character.toString(c);
    }

    private static int cost(int c, String piece) {
        return c == '&' || c == '<' || c == '>' ? ESCAPED : piece.getBytes(StandardCharsets.UTF_8).length;
    }

    public boolean isEmpty() {
        return text.isEmpty();
    }

    /// The number of bytes of HTML that it takes, at most.
    public int bytes() {
        return text.codePoints().map(c -> cost(c, Character.toString(c))).sum();
    }
}
