package dev.sheaf.model.key;

import dev.sheaf.model.text.Words;
import java.util.Locale;
import java.util.Optional;

/// What a key may do (specification, "Scopes"). Declared in rising order: a higher scope includes the lower ones.
public enum Scope {
    READ,
    WRITE,
    ADMIN;

    /// True where a holder of this scope may do what needs `needed`.
    public boolean includes(Scope needed) {
        return compareTo(needed) >= 0;
    }

    /// The one of two that permits less.
    public static Scope lower(Scope one, Scope other) {
        return one.includes(other) ? other : one;
    }

    /// The scope of that lower-case wire name, or empty.
    public static Optional<Scope> find(String wire) {
        return Words.find(Scope.class, wire);
    }

    /// The wire name: `read`, `write` or `admin`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
