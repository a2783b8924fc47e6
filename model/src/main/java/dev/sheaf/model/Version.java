package dev.sheaf.model;

import dev.sheaf.model.text.Quoted;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A semantic version, SemVer 2.0.0 in full, at most 128 characters (contract 2). Valid by construction.
/// Numbers may be larger than a `long`: they are kept as strings and compared by length, then digits.
///
/// Order is SemVer precedence (section 11): build metadata does not count, so `compareTo` is not consistent with
/// `equals`.
public record Version(String major, String minor, String patch, List<String> prerelease, List<String> build)
        implements Comparable<Version> {
    /// The limit for the length, in characters.
    public static final int MAX_LENGTH = 128;
    private static final String NUMBER = "(0|[1-9][0-9]*)";
    private static final String PRE_IDENTIFIER = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
    private static final String BUILD_IDENTIFIER = "[0-9A-Za-z-]+";
    private static final Pattern GRAMMAR = Pattern.compile(NUMBER + "\\." + NUMBER + "\\." + NUMBER + "(?:-("
            + PRE_IDENTIFIER + "(?:\\." + PRE_IDENTIFIER + ")*))?(?:\\+(" + BUILD_IDENTIFIER + "(?:\\."
            + BUILD_IDENTIFIER + ")*))?");

    public Version {
        prerelease = List.copyOf(prerelease);
        build = List.copyOf(build);
        if (!isNumber(major)
                || !isNumber(minor)
                || !isNumber(patch)
                || !prerelease.stream().allMatch(part -> isWord(part) && (!isDigits(part) || isNumber(part)))
                || !build.stream().allMatch(Version::isWord)) {
            throw Problem.invalid(
                    "format",
                    "the version has a part that a semantic version does not allow; write one such as \"1.2.3-rc.1+5\"");
        }
    }

    /// Parses a version.
    ///
    /// @throws ProblemException validation-failed if `text` is not a SemVer 2.0.0 version
    public static Version parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw Problem.invalid(
                    "too-long", "the version has " + text.length() + " characters; at most " + MAX_LENGTH);
        }
        return find(text)
                .orElseThrow(() -> Problem.invalid(
                        "format",
                        "the version " + Quoted.of(text)
                                + " is not a semantic version; "
                                + (hasLetter(text)
                                        ? "leave out the v: " + Quoted.of(text.substring(1))
                                        : "write MAJOR.MINOR.PATCH such as \"1.2.3\" or \"1.2.3-rc.1\"")));
    }

    private static boolean hasLetter(String text) {
        return (text.startsWith("v") || text.startsWith("V"))
                && find(text.substring(1)).isPresent();
    }

    /// Returns the version that `text` spells; empty if it is not a version.
    public static Optional<Version> find(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH || text.charAt(0) > '9') { // most tags
            return Optional.empty();
        }
        Matcher matcher = GRAMMAR.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return Optional.of(new Version(
                matcher.group(1),
                matcher.group(2),
                matcher.group(3),
                identifiers(matcher.group(4)),
                identifiers(matcher.group(5))));
    }

    /// Returns the version of an OCI tag, where `+` is written `_` (contract 4); empty if the tag is not a
    /// version.
    public static Optional<Version> ofOciTag(String tag) {
        return find(tag.replace('_', '+'));
    }

    private static List<String> identifiers(@Nullable String dotted) {
        return dotted == null ? List.of() : List.of(dotted.split("\\."));
    }

    /// Returns whether the version has a pre-release part, such as `-rc.1`.
    public boolean isPrerelease() {
        return !prerelease.isEmpty();
    }

    /// Returns the OCI tag of this version: `+` becomes `_`, since a tag cannot contain a plus.
    public String ociTag() {
        return toString().replace('+', '_');
    }

    /// Returns the version without build metadata: two versions of the same precedence cannot both exist in a
    /// bundle.
    public String precedence() {
        return major + "." + minor + "." + patch + (prerelease.isEmpty() ? "" : "-" + String.join(".", prerelease));
    }

    /// Returns a string whose byte order is SemVer precedence, so that a database can sort by it.
    ///
    /// A number is written as its length in three digits, then its digits. A release ends in `~`, which sorts
    /// above every prerelease. A prerelease identifier starts with `0` (number) or `1` (word) and ends with
    /// `!`, which sorts below every character of an identifier.
    public String sortKey() {
        var key = new StringBuilder();
        number(key, major);
        number(key, minor);
        number(key, patch);
        if (prerelease.isEmpty()) {
            return key.append('~').toString();
        }
        for (String identifier : prerelease) {
            if (isDigits(identifier)) {
                number(key.append('0'), identifier);
            } else {
                key.append('1').append(identifier);
            }
            key.append('!');
        }
        return key.toString();
    }

    private static void number(StringBuilder key, String digits) {
        key.append((char) ('0' + digits.length() / 100))
                .append((char) ('0' + digits.length() / 10 % 10))
                .append((char) ('0' + digits.length() % 10))
                .append(digits);
    }

    /// Returns whether the text is digits without a leading zero.
    private static boolean isNumber(String text) {
        return isDigits(text) && (text.length() == 1 || text.charAt(0) != '0');
    }

    private static boolean isDigits(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static boolean isWord(String text) {
        return !text.isEmpty()
                && text.chars()
                        .allMatch(
                                c -> c == '-' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z');
    }

    @Override
    public int compareTo(Version other) {
        return sortKey().compareTo(other.sortKey());
    }

    @Override
    public String toString() {
        return precedence() + (build.isEmpty() ? "" : "+" + String.join(".", build));
    }
}
