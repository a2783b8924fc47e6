package dev.sheaf.model;

/// The name of a namespace (contract 2). Valid by construction.
public record Namespace(String value) implements Comparable<Namespace> {
    public Namespace {
        NameGrammar.check("namespace", value);
    }

    /// Parses a namespace.
    ///
    /// @throws ProblemException validation-failed, naming the rule that `text` breaks
    public static Namespace parse(String text) {
        return new Namespace(text);
    }

    @Override
    public int compareTo(Namespace other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
