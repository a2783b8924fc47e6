package dev.sheaf.model;

import java.util.regex.Pattern;

/// A named pointer to a version (contract 2): `[A-Za-z0-9_][A-Za-z0-9._-]{0,127}`, and nothing that reads as a
/// version, a partial version or a range, so that a selector never has two meanings. Valid by construction.
public record Tag(String value) {
    private static final Pattern GRAMMAR = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");
    private static final Pattern VERSION_LIKE =
            Pattern.compile("[vV]?(?:\\d+|[xX])(?:\\.(?:\\d+|[xX])(?:\\.(?:\\d+|[xX])(?:-[0-9A-Za-z.-]+)?)?)?");

    /// The tag that a reference without suffix means (specification, "Bundle reference").
    public static final Tag LATEST = new Tag("latest");

    public Tag {
        if (!isTagShaped(value)) {
            throw Problem.invalid(
                    "format",
                    "the tag " + Quoted.of(value)
                            + " must be 1 to 128 of A-Z a-z 0-9 . _ - and begin with a letter, a digit or _");
        }
        if (isVersionLike(value)) {
            throw Problem.invalid(
                    "format",
                    "the tag " + Quoted.of(value)
                            + " reads as a version or a range; choose a word such as \"stable\", or publish a full version");
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

    static boolean isVersionLike(String text) {
        return Version.ofOciTag(text).isPresent() || VERSION_LIKE.matcher(text).matches();
    }

    @Override
    public String toString() {
        return value;
    }
}
