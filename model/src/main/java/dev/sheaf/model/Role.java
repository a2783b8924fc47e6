package dev.sheaf.model;

import dev.sheaf.model.key.Scope;
import dev.sheaf.model.text.WireWords;
import java.util.Locale;

/// The role of a member of an organization (contract 5.5). Declared in ascending order.
public enum Role {
    READER(Scope.READ),
    PUBLISHER(Scope.WRITE),
    /// Manages keys and all members except owners.
    ADMIN(Scope.ADMIN),
    /// Also appoints and removes owners. An organization always keeps at least one owner.
    OWNER(Scope.ADMIN);

    private final Scope scope;

    Role(Scope scope) {
        this.scope = scope;
    }

    /// Returns the scope that the role grants for API calls.
    public Scope scope() {
        return scope;
    }

    /// Parses the name on the wire.
    ///
    /// @throws ProblemException validation-failed for any other word
    public static Role parse(String word) {
        return WireWords.find(Role.class, word)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(Role.class)));
    }

    /// Returns the name on the wire: `owner`, `admin`, `publisher` or `reader`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
