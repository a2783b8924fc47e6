package dev.sheaf.server.hub;

import java.text.Normalizer;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.SequencedSet;
import java.util.stream.Stream;

/// The words of a text, as both databases search for them: letters and digits in lower case without accents. What
/// is written without spaces, such as Chinese, is taken apart into its characters. Cut here and nowhere else, so
/// that no database's own rules or query language ever see what people wrote.
public final class SearchWords {
    private static final int MAX_TEXT = 64 << 10;
    private static final int MAX_WORD = 40;
    private static final int MAX_WORDS = 8_000;

    private SearchWords() {}

    /// Every word once, in order. Of long texts the first 65,536 characters, of these the first 8,000 words, of
    /// long words the first 40 characters.
    public static SequencedSet<String> of(String text) {
        var words = new LinkedHashSet<String>();
        add(text, words);
        return words;
    }

    private static void add(String text, SequencedSet<String> words) {
        if (words.size() >= MAX_WORDS) {
            return;
        }
        var plain = cut(Normalizer.normalize(cut(text), Normalizer.Form.NFKD).toLowerCase(Locale.ROOT));
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

    /// Before and after a text is taken apart, which makes some many times as long: what PostgreSQL indexes of a
    /// bundle must stay below a MiB.
    private static String cut(String text) {
        return text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text;
    }

    /// The words of all the texts, as one text. Each text is cut where [#of] does, so that a long one leaves room
    /// for the next.
    static String joined(Stream<String> texts) {
        var words = new LinkedHashSet<String>();
        texts.forEach(text -> words.addAll(of(text)));
        return String.join(" ", words);
    }

    /// The words of texts that together have no more room than one, and none of them for its length alone: each is
    /// cut by itself, and only the number of words counts for all.
    static String together(Stream<String> texts) {
        var words = new LinkedHashSet<String>();
        texts.forEach(text -> add(text, words));
        return String.join(" ", words);
    }

    private static void end(StringBuilder word, Collection<String> words) {
        if (!word.isEmpty()) {
            words.add(word.toString());
            word.setLength(0);
        }
    }

    private static boolean standsAlone(int character) {
        return switch (Character.UnicodeScript.of(character)) {
            case HAN, HIRAGANA, KATAKANA, THAI, LAO, KHMER, MYANMAR -> Character.isLetter(character);
            default -> false;
        };
    }
}
