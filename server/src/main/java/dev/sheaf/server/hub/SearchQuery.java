package dev.sheaf.server.hub;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.util.List;
import java.util.Locale;

/// What somebody typed to find a bundle. Nothing in it is syntax: it is cut into words, and a bundle is found that
/// has for each of them a word that begins with it.
///
/// @param terms the first eight words; empty: nothing is found
/// @param slugs what the slug may be that was meant
/// @param namespace of a reference that was typed, with the first of the slugs; or empty
/// @param title the words of the name that was meant
public record SearchQuery(List<String> terms, List<String> slugs, String namespace, String title) {
    private static final int MAX_TEXT = 200;
    private static final int MAX_TERMS = 8;

    public SearchQuery {
        terms = List.copyOf(terms);
        slugs = List.copyOf(slugs);
    }

    /// @throws ProblemException validation-failed where the text is longer than 200 characters
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
