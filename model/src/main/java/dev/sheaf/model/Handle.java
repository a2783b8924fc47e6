package dev.sheaf.model;

/// The handle of an organization, as it stands in paths beside its id (contract 5.1). Valid by construction.
public record Handle(String value) implements Comparable<Handle> {
    public Handle {
        Names.check("handle", value);
    }

    /// @throws ProblemException validation-failed, naming the rule that `text` breaks
    public static Handle parse(String text) {
        return new Handle(text);
    }

    @Override
    public int compareTo(Handle other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
