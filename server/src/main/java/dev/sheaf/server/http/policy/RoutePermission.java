package dev.sheaf.server.http.policy;

import dev.sheaf.model.key.Scope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The permission that a route requires of its caller (contract 5.2). The router checks it, so handlers never
/// see a caller without it.
public enum RoutePermission {
    /// No credential is checked.
    NONE("none", null),
    /// A person who has signed in, or a program with a token that a person has delegated to it.
    PERSON("person", Scope.READ),
    /// The read scope, or no credential for public resources. The handler checks the access to the resource.
    PUBLIC_READ("public-read", Scope.READ),
    READ("read", Scope.READ),
    WRITE("write", Scope.WRITE),
    ADMIN("admin", Scope.ADMIN);

    private final String word;
    private final Optional<Scope> scope;

    RoutePermission(String word, @Nullable Scope scope) {
        this.word = word;
        this.scope = Optional.ofNullable(scope);
    }

    /// Returns the scope that a credential must have if one is sent; empty for [#NONE].
    public Optional<Scope> scope() {
        return scope;
    }

    /// Returns the word used in the OpenAPI document.
    @Override
    public String toString() {
        return word;
    }
}
