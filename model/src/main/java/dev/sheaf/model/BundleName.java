package dev.sheaf.model;

/// The slug of a bundle within its namespace (contract 2). Valid by construction.
public record BundleName(String value) implements Comparable<BundleName> {
    public BundleName {
        Names.check("slug", value);
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
