package dev.sheaf.server.bundle.check;

import dev.sheaf.model.text.HiddenText;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;

/// Finds characters that are invisible to a reader, or that change what a reader sees ([HiddenText]).
public final class TextChecks {
    private static final int SHOWN = 5;

    /// The words for a kind of such characters.
    private record Words(String code, String advice) {
        static Words of(HiddenText.Kind kind) {
            return switch (kind) {
                case REPLACEMENT ->
                    new Words(
                            "replacement-character",
                            "it replaces bytes that are not text. Was a binary file read as text? Publish the bytes as they are");
                case NUL -> new Words("nul-character", "is it a binary file?");
                case CONTROL -> new Words("control-character", "it can change what a terminal shows");
                case BIDIRECTIONAL ->
                    new Words("bidirectional-control", "the text may look different from what it contains");
                case INVISIBLE -> new Words("invisible-character", "people do not see it, but programs do");
            };
        }
    }

    /// Counts the characters of one kind.
    private static final class Tally {
        private final Map<Integer, Integer> firstLines = new LinkedHashMap<>();
        private int count;

        void add(int c, int line) {
            count++;
            if (firstLines.size() < SHOWN) {
                firstLines.putIfAbsent(c, line);
            }
        }

        String text() {
            var text = new StringBuilder();
            firstLines.forEach((c, line) ->
                    text.append(text.isEmpty() ? "" : ", ").append("U+%04X at line %d".formatted(c, line)));
            return text + (count > firstLines.size() ? " (" + count + " in total)" : "");
        }
    }

    private TextChecks() {}

    /// @param whole true to report every kind. False for content that begins like a binary format: only
    /// replacement characters are reported, which show that a program has read it as text
    static void check(String text, boolean whole, ContentChecks.Findings findings) {
        var tallies = new EnumMap<HiddenText.Kind, Tally>(HiddenText.Kind.class);
        HiddenText.find(
                text,
                (kind, c, at, line) ->
                        tallies.computeIfAbsent(kind, found -> new Tally()).add(c, line));
        if (!whole) {
            tallies.keySet().retainAll(EnumSet.of(HiddenText.Kind.REPLACEMENT));
        }
        tallies.forEach((kind, tally) -> {
            var words = Words.of(kind);
            findings.add(words.code(), "contains " + tally.text() + ": " + words.advice());
        });
    }

    /// Returns the positions of characters that are invisible or change how the text around them looks.
    public static BitSet hidden(String text) {
        var found = new BitSet();
        HiddenText.find(text, (kind, c, at, line) -> {
            if (kind != HiddenText.Kind.REPLACEMENT) {
                found.set(at, at + Character.charCount(c));
            }
        });
        return found;
    }
}
