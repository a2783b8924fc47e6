package dev.sheaf.model;

/// The name of a bundle within its namespace, and of the OCI repository that holds it. Valid by construction.
///
/// A bundle that is made here has a slug (contract 2), see [#parseSlug]. One that an OCI client makes may be called
/// whatever that protocol allows, so that images can be mirrored under their names; it is then read by that name
/// everywhere.
public record BundleName(String value) implements Comparable<BundleName> {
    public BundleName {
        Names.checkComponent("slug", value);
    }

    /// The name of a bundle that is yet to be made.
    ///
    /// @throws ProblemException validation-failed, naming the rule that `text` breaks
    public static BundleName parseSlug(String text) {
        return new BundleName(Names.check("slug", text));
    }

    /// True where it is a slug too, as new bundles have.
    public boolean isSlug() {
        return Names.isPlain(value);
    }

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
