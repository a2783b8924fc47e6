package dev.sheaf.server.http.policy;

import dev.sheaf.model.key.Scope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a route needs of its caller (contract 5.2). Stands in the route table; the handler never sees a caller
/// without it.
public enum Need {
    /// No credential is looked at.
    NONE("none", null),
    /// A person: somebody who signed in here, or a program that they handed a token to.
    PERSON("person", Scope.READ),
    /// Read scope; without a credential, what is public. The access rule decides in the handler.
    PUBLIC_READ("public-read", Scope.READ),
    READ("read", Scope.READ),
    WRITE("write", Scope.WRITE),
    ADMIN("admin", Scope.ADMIN);

    private final String word;
    private final Optional<Scope> scope;

    Need(String word, @Nullable Scope scope) {
        this.word = word;
        this.scope = Optional.ofNullable(scope);
    }

    /// The scope that a credential must have where one is sent; empty for [#NONE].
    public Optional<Scope> scope() {
        return scope;
    }

    /// The word for it in the OpenAPI document.
    @Override
    public String toString() {
        return word;
    }
}
