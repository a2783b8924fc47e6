package dev.sheaf.server.console.source;

/// Characters of a line that look the same.
///
/// @param text as it is shown: of hidden characters their code, of a secret how it begins
/// @param title what hidden characters are called; empty for others
public record Piece(String text, Style style, Mark mark, String title) {
    private static final int MARKUP = 33; // bytes of an element around it
    private static final int COVER = 130;

    /// What it is besides.
    public enum Mark {
        NONE,
        HIDDEN,
        SECRET
    }

    public boolean isHidden() {
        return mark == Mark.HIDDEN;
    }

    public boolean isSecret() {
        return mark == Mark.SECRET;
    }

    public boolean isChanged() {
        return style == Style.CHANGED;
    }

    /// Its class; empty: it needs none.
    public String css() {
        return style.css();
    }

    /// About how many bytes of a page it takes, and never fewer.
    int weight() {
        int around = mark == Mark.SECRET ? COVER : mark == Mark.HIDDEN ? MARKUP + title.length() : 0;
        return around + (style == Style.PLAIN ? 0 : MARKUP) + weight(text);
    }

    /// About how many bytes of a page a text takes.
    public static int weight(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            bytes += weight(text.charAt(i));
        }
        return bytes;
    }

    static int weight(char c) {
        return switch (c) {
            case '<', '>', '&', '"', '\'' -> 5;
            default -> c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
        };
    }
}
