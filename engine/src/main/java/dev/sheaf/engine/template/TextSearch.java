package dev.sheaf.engine.template;

/// Finds a text in another one. The time grows with the sum of both lengths and not with their product, because
/// strangers choose both.
final class TextSearch {
    private static final int SHORT = 16; // up to here the product is harmless

    private TextSearch() {}

    static int indexOf(String text, String part, int from, Rendering rendering) {
        if (part.length() <= SHORT) {
            int found = text.indexOf(part, from);
            rendering.work((found < 0 ? text.length() : found) - from);
            return found;
        }
        return new Finder(part, rendering).indexOf(text, from);
    }

    /// The algorithm of Knuth, Morris and Pratt, prepared once for a text that is searched repeatedly.
    static final class Finder {
        private final String part;
        private final int[]
                borders; // for each prefix, the length of the longest shorter prefix that is also its suffix
        private final Rendering rendering;

        Finder(String part, Rendering rendering) {
            rendering.made(2 * part.length());
            this.part = part;
            this.rendering = rendering;
            this.borders = new int[part.length()];
            for (int i = 1, k = 0; i < part.length(); i++) {
                k = advance(k, part.charAt(i));
                borders[i] = k;
            }
        }

        private int advance(int matched, char c) {
            int k = matched;
            while (k > 0 && part.charAt(k) != c) {
                k = borders[k - 1];
            }
            return part.charAt(k) == c ? k + 1 : k;
        }

        int indexOf(String text, int from) {
            if (part.isEmpty()) {
                return from <= text.length() ? from : -1;
            }
            int matched = 0;
            for (int i = from; i < text.length(); i++) {
                matched = advance(matched, text.charAt(i));
                if (matched == part.length()) {
                    rendering.work(i - from);
                    return i + 1 - matched;
                }
            }
            rendering.work(text.length() - from);
            return -1;
        }
    }
}
