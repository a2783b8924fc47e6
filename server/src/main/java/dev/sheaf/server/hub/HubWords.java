package dev.sheaf.server.hub;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.bundle.SkillTexts;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Corrects misspelled searches by words in the names of listed bundles and of their skills. These are the
/// same for everybody, so a suggestion tells nothing about hidden bundles.
final class HubWords {
    private static final int MOST = 100; // words of a bundle
    private static final int SHORTEST = 3; // characters of a word that is corrected
    private static final int LONGEST = 24;
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

    private HubWords() {}

    /// Returns the words of a bundle's names as facets.
    static List<String> facets(RepositoryName name, String title, List<SkillTexts.Entry> skills) {
        var texts = Stream.concat(
                Stream.of(name.bundle().value(), name.namespace().value(), title),
                skills.stream().map(SkillTexts.Entry::name));
        return texts.flatMap(text -> SearchWords.of(text).stream())
                .filter(word -> word.length() >= SHORTEST)
                .distinct()
                .limit(MOST)
                .map(HubFacet.WORD::of)
                .toList();
    }

    /// Returns the words with those replaced that no bundle has; empty if none of them can be replaced by
    /// a similar word. Words are similar if one letter is missing, added or another, or if two neighbours
    /// are exchanged.
    static Optional<String> corrected(Tx tx, List<String> words) {
        var corrected = new ArrayList<String>();
        for (String word : words) {
            if (HubRows.some(tx, HubTextRows.matching(tx, HubTextRows.Depth.ALL, List.of(word)), 1)
                    .isEmpty()) {
                var other = similar(tx, word);
                if (other.isEmpty()) {
                    return Optional.empty();
                }
                corrected.add(other.get());
            } else {
                corrected.add(word);
            }
        }
        return corrected.equals(words) ? Optional.empty() : Optional.of(String.join(" ", corrected));
    }

    private static Optional<String> similar(Tx tx, String word) {
        int length = word.codePointCount(0, word.length());
        if (length < SHORTEST || length > LONGEST) {
            return Optional.empty();
        }
        var facets = variants(word).stream().map(HubFacet.WORD::of).toList();
        return HubRows.mostFrequent(tx, facets)
                .map(facet -> facet.substring(HubFacet.WORD.prefix().length()));
    }

    /// Returns the similar words: for a word of `n` letters, 74 times `n` or so.
    private static Set<String> variants(String word) {
        int[] letters = word.codePoints().toArray();
        var variants = new LinkedHashSet<String>();
        for (int i = 0; i <= letters.length; i++) {
            String before = new String(letters, 0, i);
            String after = new String(letters, i, letters.length - i);
            String rest = i < letters.length ? new String(letters, i + 1, letters.length - i - 1) : "";
            if (i < letters.length) {
                variants.add(before + rest);
            }
            if (i + 1 < letters.length) {
                variants.add(before
                        + Character.toString(letters[i + 1])
                        + Character.toString(letters[i])
                        + new String(letters, i + 2, letters.length - i - 2));
            }
            for (char letter : LETTERS.toCharArray()) {
                variants.add(before + letter + after);
                if (i < letters.length) {
                    variants.add(before + letter + rest);
                }
            }
        }
        variants.remove(word);
        return variants.stream()
                .filter(variant -> variant.length() >= SHORTEST)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
