package dev.sheaf.server.hub;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.util.List;
import java.util.Locale;

/// A search for bundles. The text has no syntax: it is split into words. A bundle matches if each of these
/// words is the beginning of a word of the bundle.
///
/// @param terms the first eight words; if empty, nothing matches
/// @param slugs the slugs that the text may mean
/// @param namespace the namespace if the text is a reference, which then also consists of the first slug;
/// otherwise empty
/// @param title the words of the text, to compare with names
public record SearchQuery(List<String> terms, List<String> slugs, String namespace, String title) {
    private static final int MAX_TEXT = 200;
    private static final int MAX_TERMS = 8;

    public SearchQuery {
        terms = List.copyOf(terms);
        slugs = List.copyOf(slugs);
    }

    /// Returns whether a search box has text.
    public boolean isTyped() {
        return !slugs.getFirst().isEmpty();
    }

    /// @throws ProblemException validation-failed if the text is longer than 200 characters
    public static SearchQuery parse(String text) {
        if (text.length() > MAX_TEXT) {
            throw Problem.invalid("too-long", "has " + text.length() + " characters; at most " + MAX_TEXT);
        }
        var words = SearchWords.of(text);
        String typed = text.strip().toLowerCase(Locale.ROOT).replace('\0', ' ');
        int slash = typed.indexOf('/');
        return new SearchQuery(
                words.stream().limit(MAX_TERMS).toList(),
                List.of(typed.substring(slash + 1), String.join("-", words)),
                slash < 0 ? "" : typed.substring(0, slash),
                String.join(" ", words));
    }
}
