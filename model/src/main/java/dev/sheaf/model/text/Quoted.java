package dev.sheaf.model.text;

/// Quotes untrusted input for a message: control and invisible characters are escaped, and at most 80 characters
/// are shown.
public final class Quoted {
    private static final int MAX = 80;

    private Quoted() {}

    /// Returns the text in quotation marks, with escapes for what cannot be seen.
    public static String of(String text) {
        var shown = new StringBuilder("\"");
        text.codePoints().limit(MAX).forEach(c -> append(shown, c));
        if (text.codePointCount(0, text.length()) > MAX) {
            shown.append('…');
        }
        return shown.append('"').toString();
    }

    /// Returns one line without quotation marks, of at most `most` characters before escaping.
    public static String line(String text, int most) {
        var shown = new StringBuilder();
        text.codePoints().limit(most).forEach(c -> {
            if (isHidden(c)) {
                shown.append("\\u{").append(Integer.toHexString(c)).append('}');
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    private static boolean isHidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR -> true;
            case Character.PARAGRAPH_SEPARATOR, Character.UNASSIGNED, Character.PRIVATE_USE -> true;
            default -> false;
        };
    }

    private static void append(StringBuilder shown, int c) {
        if (isHidden(c)) {
            shown.append("\\u{").append(Integer.toHexString(c)).append('}');
        } else if (c == '"' || c == '\\') {
            shown.append('\\').appendCodePoint(c);
        } else {
            shown.appendCodePoint(c);
        }
    }
}
