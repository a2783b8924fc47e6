package dev.sheaf.model;

import dev.sheaf.model.text.Quoted;
import java.util.Optional;
import java.util.regex.Pattern;

/// A named pointer to a version (contract 2): `[A-Za-z0-9_][A-Za-z0-9._-]{0,127}`, but not a full version. Valid
/// by construction.
///
/// Tags of images, such as `3.20`, `v1.30.2` or `20240501`, may also be ranges. Such a tag is only followed if
/// it points to a version in that range, so that a range never selects a version outside of it.
public record Tag(String value) {
    private static final Pattern GRAMMAR = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");

    /// The characters that can begin a range that is also a tag.
    private static final String RANGE_STARTS = "0123456789vxX";

    /// The tag of a reference without suffix (specification, "Bundle reference").
    public static final Tag LATEST = new Tag("latest");

    public Tag {
        if (!isTagShaped(value)) {
            throw Problem.invalid(
                    "format",
                    "the tag " + Quoted.of(value)
                            + " must be 1 to 128 characters of A-Z a-z 0-9 . _ - and begin with a letter, a digit"
                            + " or _");
        }
        if (Version.ofOciTag(value).isPresent()) {
            throw Problem.invalid(
                    "format",
                    "the tag " + Quoted.of(value)
                            + " is a version number, which never moves; choose a word such as \"stable\", or"
                            + " publish that version");
        }
    }

    /// Parses a tag.
    ///
    /// @throws ProblemException validation-failed, naming the rule that `text` breaks
    public static Tag parse(String text) {
        return new Tag(text);
    }

    /// Returns whether `text` is a tag by the OCI grammar, even if it is also a version or a range.
    public static boolean isTagShaped(String text) {
        return text.length() <= 128 && GRAMMAR.matcher(text).matches();
    }

    /// Returns the range with the same text as this tag; empty for a plain word.
    public Optional<VersionRange> range() {
        return range(value);
    }

    private static Optional<VersionRange> range(String tag) {
        return RANGE_STARTS.indexOf(tag.charAt(0)) < 0 ? Optional.empty() : VersionRange.find(tag);
    }

    /// Returns whether `text` is a tag but neither a version nor a range.
    static boolean isWord(String text) {
        return isTagShaped(text) && range(text).isEmpty();
    }

    /// Returns whether this tag may point to the version. A plain word may point to any version, a tag that is
    /// also a range only to versions in that range.
    public boolean mayMean(Version version) {
        return range().map(range -> range.contains(version)).orElse(true);
    }

    @Override
    public String toString() {
        return value;
    }
}
