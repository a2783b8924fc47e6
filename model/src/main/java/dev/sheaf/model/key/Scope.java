package dev.sheaf.model.key;

import dev.sheaf.model.text.WireWords;
import java.util.Locale;
import java.util.Optional;

/// The permissions of a key (specification, "Scopes"). Declared in ascending order: a higher scope includes the
/// lower ones.
public enum Scope {
    READ,
    WRITE,
    ADMIN;

    /// Returns whether this scope is sufficient for `needed`.
    public boolean includes(Scope needed) {
        return compareTo(needed) >= 0;
    }

    /// Returns the lower of two scopes.
    public static Scope lower(Scope one, Scope other) {
        return one.includes(other) ? other : one;
    }

    /// Returns the scope with this name on the wire (lower case); empty for an unknown name.
    public static Optional<Scope> find(String wire) {
        return WireWords.find(Scope.class, wire);
    }

    /// Returns the name on the wire: `read`, `write` or `admin`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
