package dev.sheaf.server.registry.api;

import dev.sheaf.server.http.message.Answer;
import java.util.List;

/// `Warning: 299 - "..."` lines, which clients show to their users (distribution-spec, "Warnings").
final class WarningHeaders {
    /// In characters. The specification allows 4,096 bytes for all lines together; there are three at most.
    private static final int MAX_TEXT = 600;

    private WarningHeaders() {}

    static Answer on(Answer answer, List<String> sentences) {
        var warned = answer;
        for (String sentence : sentences) {
            warned = warned.with("Warning", "299 - " + quoted(sentence));
        }
        return warned;
    }

    /// Returns a quoted-string (RFC 9110, section 5.6.4) of printable ASCII. The text may come from anyone: it
    /// must neither end the header nor be misread as Latin-1. Other characters become question marks.
    static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        text.codePoints().limit(MAX_TEXT).forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\');
            }
            quoted.append(Character.isWhitespace(c) || Character.isISOControl(c) ? ' ' : c < 0x7f ? (char) c : '?');
        });
        if (text.codePointCount(0, text.length()) > MAX_TEXT) {
            quoted.append("...");
        }
        return quoted.append('"').toString();
    }
}
