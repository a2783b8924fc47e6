package dev.sheaf.model;

/// The handle of an organization. URLs accept it in place of the id (contract 5.1). Valid by construction.
public record Handle(String value) implements Comparable<Handle> {
    public Handle {
        NameGrammar.check("handle", value);
    }

    /// Parses a handle.
    ///
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
