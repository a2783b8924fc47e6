package dev.sheaf.model.text;

/// Quotes untrusted input for a message: control and invisible characters are escaped, and at most 80 characters
/// are shown.
public final class Quoted {
    private static final int MAX = 80;

    private Quoted() {}

    public static String of(String text) {
        var shown = new StringBuilder("\"");
        text.codePoints().limit(MAX).forEach(c -> append(shown, c));
        if (text.codePointCount(0, text.length()) > MAX) {
            shown.append('…');
        }
        return shown.append('"').toString();
    }

    private static void append(StringBuilder shown, int c) {
        boolean hidden = switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR -> true;
            case Character.PARAGRAPH_SEPARATOR, Character.UNASSIGNED, Character.PRIVATE_USE -> true;
            default -> false;
        };
        if (hidden) {
            shown.append("\\u{").append(Integer.toHexString(c)).append('}');
        } else if (c == '"' || c == '\\') {
            shown.append('\\').appendCodePoint(c);
        } else {
            shown.appendCodePoint(c);
        }
    }
}
