package dev.sheaf.model;

/// The name of a bundle within its namespace, and of the OCI repository that holds it. Valid by construction.
///
/// A bundle created through this API has a slug (contract 2), see [#parseSlug]. A bundle created by an OCI client
/// may have any name that the OCI protocol allows, so that images can be mirrored under their own names; it is
/// then read under that name everywhere.
public record BundleName(String value) implements Comparable<BundleName> {
    public BundleName {
        Names.checkComponent("slug", value);
    }

    /// Parses the name of a bundle that is about to be created.
    ///
    /// @throws ProblemException validation-failed, naming the rule that `text` breaks
    public static BundleName parseSlug(String text) {
        return new BundleName(Names.check("slug", text));
    }

    /// Returns whether the name is also a slug, as the names of new bundles are.
    public boolean isSlug() {
        return Names.isPlain(value);
    }

    /// Parses the name of any bundle.
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
