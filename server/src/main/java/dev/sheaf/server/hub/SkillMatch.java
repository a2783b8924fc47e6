package dev.sheaf.server.hub;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/// Decides which skills of a collection a search means. A page may have more than a thousand, whose texts others wrote,
/// so
/// the work is limited: the words of ASCII are looked up in the text first, and only so many other texts are split.
final class SkillMatch {
    private static final int MOST = 150; // texts that are split into words

    private final List<String> terms;
    private String names = "";
    private Collection<String> ofBundle = List.of();
    private int split;

    SkillMatch(List<String> terms) {
        this.terms = List.copyOf(terms);
    }

    /// Returns whether all terms are in the skill or in the bundle's names, and at least one in the skill.
    ///
    /// @param bundle the names of the bundle
    boolean is(String bundle, HubSkillRows.Found skill) {
        String text = skill.name() + " " + skill.description() + " " + skill.keywords();
        if (isAscii(text) && terms.stream().noneMatch(text.toLowerCase(Locale.ROOT)::contains) || split++ >= MOST) {
            return false;
        }
        var own = SearchWords.of(text);
        if (!bundle.equals(names)) {
            names = bundle;
            ofBundle = SearchWords.of(bundle);
        }
        return terms.stream().anyMatch(term -> SearchWords.begin(own, term))
                && terms.stream().allMatch(term -> SearchWords.begin(own, term) || SearchWords.begin(ofBundle, term));
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }
}
