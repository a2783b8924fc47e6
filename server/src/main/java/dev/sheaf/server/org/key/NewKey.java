package dev.sheaf.server.org.key;

import dev.sheaf.model.Scope;
import dev.sheaf.server.auth.Restrictions;
import java.time.Instant;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A key to be created. Its rights are fixed for its life.
///
/// @param scopes as asked for, not empty; the highest includes the lower ones
public record NewKey(
        String name,
        @Nullable String description,
        Set<Scope> scopes,
        @Nullable Instant expiresAt,
        Restrictions restrictions) {
    public NewKey {
        scopes = Collections.unmodifiableSortedSet(new TreeSet<>(scopes));
    }

    /// The same key with another end.
    NewKey until(@Nullable Instant end) {
        return new NewKey(name, description, scopes, end, restrictions);
    }

    /// The highest scope, which is what counts.
    public Scope scope() {
        return Collections.max(scopes);
    }
}
