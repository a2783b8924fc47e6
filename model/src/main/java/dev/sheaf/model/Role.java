package dev.sheaf.model;

import dev.sheaf.model.key.Scope;
import dev.sheaf.model.text.Words;
import java.util.Locale;

/// What a member is in an organization (contract 5.5). Declared in rising order.
public enum Role {
    READER(Scope.READ),
    PUBLISHER(Scope.WRITE),
    /// Looks after keys and members, owners excepted.
    ADMIN(Scope.ADMIN),
    /// Makes and unmakes owners too. An organization that has an owner keeps one.
    OWNER(Scope.ADMIN);

    private final Scope scope;

    Role(Scope scope) {
        this.scope = scope;
    }

    /// What it comes to on routes.
    public Scope scope() {
        return scope;
    }

    /// @throws ProblemException validation-failed for any other word
    public static Role parse(String word) {
        return Words.find(Role.class, word).orElseThrow(() -> Problem.invalid("unknown", Words.oneOf(Role.class)));
    }

    /// The wire name: `owner`, `admin`, `publisher` or `reader`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
