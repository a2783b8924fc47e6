package dev.sheaf.server.hub;

import java.text.Normalizer;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.SequencedSet;
import java.util.stream.Stream;

/// Splits text into words for both databases: letters and digits in lower case without accents. Scripts without
/// spaces, such as Chinese, are split into characters. All splitting happens here, so that no database applies
/// its own rules or query language to the text.
public final class SearchWords {
    private static final int MAX_TEXT = 64 << 10;
    private static final int MAX_WORD = 40;
    private static final int MAX_WORDS = 8_000;
    private static final int EXPANSION = 4; // of a text by normalizing; letters that are whole sentences have more

    private SearchWords() {}

    /// Returns every word once, in order. Limited to the first 65,536 characters of the text, the first 8,000
    /// words, and the first 40 characters of each word.
    public static SequencedSet<String> of(String text) {
        var words = new LinkedHashSet<String>();
        add(text, words);
        return words;
    }

    private static void add(String text, SequencedSet<String> words) {
        if (words.size() >= MAX_WORDS) {
            return;
        }
        String given = cut(text);
        String normal = cut(Normalizer.normalize(given, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT));
        String plain = normal.substring(0, Math.min(normal.length(), EXPANSION * given.length() + MAX_WORD));
        var word = new StringBuilder();
        for (int i = 0; i < plain.length() && words.size() < MAX_WORDS; ) {
            int character = plain.codePointAt(i);
            i += Character.charCount(character);
            if (Character.getType(character) == Character.NON_SPACING_MARK) {
                continue;
            }
            boolean alone = standsAlone(character);
            if (alone || !Character.isLetterOrDigit(character)) {
                end(word, words);
            }
            if (alone) {
                words.add(Character.toString(character));
            } else if (Character.isLetterOrDigit(character) && word.length() < MAX_WORD) {
                word.appendCodePoint(character);
            }
        }
        if (words.size() < MAX_WORDS) {
            end(word, words);
        }
    }

    /// Truncates a text. Call it before and after normalizing, which makes some texts many times longer.
    /// PostgreSQL limits the indexed text of a bundle to 1 MiB.
    private static String cut(String text) {
        return text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text;
    }

    /// Returns the words of all texts, joined. Each text has the limits of [#of], so a long text leaves room
    /// for the next.
    static String joined(Stream<String> texts) {
        var words = new LinkedHashSet<String>();
        texts.forEach(text -> words.addAll(of(text)));
        return String.join(" ", words);
    }

    /// Returns the words of all texts, joined. The length limit applies to each text, the word limit to all of
    /// them together.
    static String together(Stream<String> texts) {
        var words = new LinkedHashSet<String>();
        texts.forEach(text -> add(text, words));
        return String.join(" ", words);
    }

    /// Returns whether one of the words begins with a term of a search. A term of a single character must
    /// be the whole word, as in the index.
    static boolean begin(Collection<String> words, String term) {
        return term.codePointCount(0, term.length()) > 1
                ? words.stream().anyMatch(word -> word.startsWith(term))
                : words.contains(term);
    }

    private static void end(StringBuilder word, Collection<String> words) {
        if (!word.isEmpty()) {
            words.add(word.toString());
            word.setLength(0);
        }
    }

    static boolean standsAlone(int character) {
        return switch (Character.UnicodeScript.of(character)) {
            case HAN, HIRAGANA, KATAKANA, THAI, LAO, KHMER, MYANMAR -> Character.isLetter(character);
            default -> false;
        };
    }
}
