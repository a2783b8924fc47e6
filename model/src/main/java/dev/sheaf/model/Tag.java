package dev.sheaf.model;

import dev.sheaf.model.text.Quoted;

import java.util.Optional;
import java.util.regex.Pattern;

/// A named pointer to a version (contract 2): `[A-Za-z0-9_][A-Za-z0-9._-]{0,127}`, and no full version. Valid by
/// construction.
///
/// Images are tagged `3.20`, `v1.30.2` or `20240501`, which may read as ranges too. Such a tag means something only
/// where it points to a version that the range holds, so that nobody is turned away from what the range means.
public record Tag(String value) {
    private static final Pattern GRAMMAR = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");

    /// What a range begins with that is also a tag.
    private static final String RANGE_STARTS = "0123456789vxX";

    /// The tag that a reference without suffix means (specification, "Bundle reference").
    public static final Tag LATEST = new Tag("latest");

    public Tag {
        if (!isTagShaped(value)) {
            throw Problem.invalid(
                    "format",
                    "the tag " + Quoted.of(value)
                            + " must be 1 to 128 of A-Z a-z 0-9 . _ - and begin with a letter, a digit or _");
        }
        if (Version.ofOciTag(value).isPresent()) {
            throw Problem.invalid(
                    "format",
                    "the tag " + Quoted.of(value)
                            + " is a version's number, which never moves; choose a word such as \"stable\", or publish"
                            + " that version");
        }
    }

    /// @throws ProblemException validation-failed, naming the rule that `text` breaks
    public static Tag parse(String text) {
        return new Tag(text);
    }

    /// True where `text` is a tag by the OCI grammar, whatever it may mean.
    public static boolean isTagShaped(String text) {
        return text.length() <= 128 && GRAMMAR.matcher(text).matches();
    }

    /// The range that this tag reads as, too; empty for a mere word.
    public Optional<VersionRange> range() {
        return range(value);
    }

    private static Optional<VersionRange> range(String tag) {
        return RANGE_STARTS.indexOf(tag.charAt(0)) < 0 ? Optional.empty() : VersionRange.find(tag);
    }

    /// True where `text` is a tag, no version, and reads as no range.
    static boolean isWord(String text) {
        return isTagShaped(text) && range(text).isEmpty();
    }

    /// Whether this tag may mean the version: a word any, one that reads as a range those in it.
    public boolean mayMean(Version version) {
        return range().map(range -> range.contains(version)).orElse(true);
    }

    @Override
    public String toString() {
        return value;
    }
}
