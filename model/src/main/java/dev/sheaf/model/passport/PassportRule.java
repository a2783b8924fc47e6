package dev.sheaf.model.passport;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A rule of the passport. `rules.yaml` says what its members mean.
///
/// @param severity null for a fact that is no finding
/// @param quoted the severity if the words are quoted; null if that makes no difference
/// @param described the severity in a description, if it is less; null if that makes no difference
/// @param isQuotedIgnored whether quoted words are no match
/// @param pattern null for a rule that has none
public record PassportRule(
        String id,
        PassportRow row,
        @Nullable Severity severity,
        @Nullable Severity quoted,
        @Nullable Severity described,
        boolean isQuotedIgnored,
        @Nullable Scope scope,
        List<String> words,
        @Nullable Pattern pattern,
        String one,
        String many,
        String text,
        String advice,
        List<String> matches,
        List<String> ignores) {
    /// The texts that the pattern reads.
    public enum Scope {
        PROSE,
        CODE,
        COMMENT,
        MARKDOWN;

        /// Returns whether a sentence may go on in the next line.
        boolean isWrapped() {
            return this != CODE;
        }
    }

    public PassportRule {
        words = List.copyOf(words);
        matches = List.copyOf(matches);
        ignores = List.copyOf(ignores);
    }

    /// Returns the severity of a match; null if it is a fact and no finding.
    @Nullable
    Severity severity(boolean isQuoted, boolean isDescribed) {
        var found = isQuoted ? quoted : severity;
        boolean isLess = found != null && described != null && described.compareTo(found) < 0;
        return isDescribed && isLess ? described : found;
    }

    /// Returns the part of a match that a passport shows.
    static String what(Matcher match) {
        return group(match, "what").or(() -> group(match, "what2")).orElseGet(match::group);
    }

    private static Optional<String> group(Matcher match, String name) {
        return match.pattern().namedGroups().containsKey(name)
                ? Optional.ofNullable(match.group(name))
                : Optional.empty();
    }
}
