package dev.sheaf.model.text;

/// Checks strings for sequences that Java allows and Unicode does not.
public final class Unicode {
    private Unicode() {}

    /// Returns false if the text contains half of a surrogate pair, which no encoding can write.
    public static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean paired = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!paired) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
