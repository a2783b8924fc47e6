package dev.sheaf.model.text;

import java.text.Normalizer;

/// Checks strings for sequences that Java allows and Unicode does not, and normalizes them.
public final class Unicode {
    private Unicode() {}

    /// Returns the text in a normal form. ASCII is in every form; for other text Java loads its tables, which a short
    /// command should not wait for.
    public static String normalize(String text, Normalizer.Form form) {
        return isAscii(text) ? text : Normalizer.normalize(text, form);
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

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
