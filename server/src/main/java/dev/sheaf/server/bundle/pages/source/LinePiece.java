package dev.sheaf.server.bundle.pages.source;

/// Characters of a line with the same marks.
///
/// @param text the shown text: hidden characters as codes, and only the beginning of a secret
/// @param title the name of a hidden character; empty for others
public record LinePiece(String text, boolean isChanged, Mark mark, String title) {
    private static final int MARKUP = 33; // bytes of an element around it
    private static final int COVER = 130;

    /// Further marks.
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

    /// Returns an estimate of the bytes that it takes on a page, which is never too low.
    int weight() {
        int around = mark == Mark.SECRET ? COVER : mark == Mark.HIDDEN ? MARKUP + title.length() : 0;
        return around + (isChanged ? MARKUP : 0) + weight(text);
    }

    /// Returns an estimate of the bytes that a text takes on a page.
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
