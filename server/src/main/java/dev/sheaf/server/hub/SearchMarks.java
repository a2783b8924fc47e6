package dev.sheaf.server.hub;

import dev.sheaf.model.ProblemException;
import java.util.ArrayList;
import java.util.List;

/// Marks the words of a search in a text, by the rules by which they are found: at the beginning of words,
/// ignoring case and accents. Immutable.
public final class SearchMarks {
    /// Marks nothing.
    public static final SearchMarks NONE = new SearchMarks(List.of());

    private static final int LONGEST = 80; // characters that may be the 40 that are indexed

    private final List<String> terms;

    private SearchMarks(List<String> terms) {
        this.terms = terms;
    }

    /// A part of a text. All parts together are the text.
    public record Part(String text, boolean isMarked) {}

    /// @param search what a person searched for; if it is too long to be searched for, nothing is marked
    public static SearchMarks of(String search) {
        try {
            return new SearchMarks(SearchQuery.parse(search).terms());
        } catch (ProblemException e) {
            return NONE;
        }
    }

    /// Returns the parts of a text.
    public List<Part> in(String text) {
        if (terms.isEmpty()) {
            return List.of(new Part(text, false));
        }
        var parts = new ArrayList<Part>();
        int plain = 0; // the start of what is not marked
        int start = 0;
        while (start < text.length()) {
            int end = endOfWord(text, start);
            if (end == start) {
                start += Character.charCount(text.codePointAt(start));
                continue;
            }
            int marked = marked(text.substring(start, end));
            if (marked > 0) {
                add(parts, text.substring(plain, start), false);
                add(parts, text.substring(start, start + marked), true);
                plain = start + marked;
            }
            start = end;
        }
        add(parts, text.substring(plain), false);
        return List.copyOf(parts);
    }

    private static void add(List<Part> parts, String text, boolean marked) {
        if (!text.isEmpty()) {
            parts.add(new Part(text, marked));
        }
    }

    /// Returns the end of the word at that place; the place itself if there is no word.
    private static int endOfWord(String text, int start) {
        int first = text.codePointAt(start);
        int end = start;
        while (end < text.length()) {
            int character = text.codePointAt(end);
            boolean belongs = Character.isLetterOrDigit(character)
                    || end > start && Character.getType(character) == Character.NON_SPACING_MARK;
            if (!belongs || end > start && (SearchWords.standsAlone(first) || SearchWords.standsAlone(character))) {
                break;
            }
            end += Character.charCount(character);
        }
        return end;
    }

    /// Returns the length of the part of a word that a term matches; 0 if none does. If letters are not as
    /// long as those of the index, such as a letter with its accent, the whole word is marked.
    private int marked(String word) {
        var indexed = SearchWords.of(word.length() > LONGEST ? word.substring(0, LONGEST) : word);
        String plain = indexed.isEmpty() ? "" : indexed.getFirst();
        int longest = 0;
        for (String term : terms) {
            if (SearchWords.begin(indexed, term)) {
                longest = Math.max(longest, plain.length() == word.length() ? term.length() : word.length());
            }
        }
        return Math.min(longest, word.length());
    }
}
