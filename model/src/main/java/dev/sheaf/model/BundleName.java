package dev.sheaf.model;

/// The name of a bundle within its namespace. It is also the last part of the OCI repository's name. Valid by
/// construction.
///
/// A bundle created through this API has a slug (contract 2), see [#parseSlug]. A bundle created by an OCI
/// client may have any name that the OCI protocol allows, so that images can be mirrored under their own names.
/// All interfaces then use that name.
///
/// A name with further parts (`app/image`) is that of a repository without a bundle, see [RepositoryName#parseAny].
public record BundleName(String value) implements Comparable<BundleName> {
    private static final int MAX_LENGTH = 255;

    public BundleName {
        if (value.length() > MAX_LENGTH) {
            throw Problem.invalid("too-long", "the name has " + value.length() + " characters; at most " + MAX_LENGTH);
        }
        for (String part : value.split("/", -1)) {
            NameGrammar.checkComponent("slug", part);
        }
    }

    /// Parses the name of a bundle that is about to be created.
    ///
    /// @throws ProblemException validation-failed, naming the rule that `text` breaks
    public static BundleName parseSlug(String text) {
        return new BundleName(NameGrammar.check("slug", text));
    }

    /// Returns whether the name is also a slug, as the names of new bundles are.
    public boolean isSlug() {
        return NameGrammar.isPlain(value);
    }

    /// Parses the name of any bundle.
    ///
    /// @throws ProblemException validation-failed, naming the rule that `text` breaks
    public static BundleName parseBundle(String text) {
        return new BundleName(NameGrammar.checkComponent("slug", text));
    }

    /// Parses the name of any repository within its namespace, with a bundle or without.
    ///
    /// @throws ProblemException validation-failed, naming the rule that `text` breaks
    public static BundleName parse(String text) {
        return new BundleName(text);
    }

    @Override
    public int compareTo(BundleName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
