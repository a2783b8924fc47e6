package dev.sheaf.server.org.key;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import java.time.Instant;
import java.util.ArrayList;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Ensures that a key can never grant more rights than it has (contract 5.1).
///
/// A caller can create keys whose scope, restrictions and expiry are within its own. It can see, change, rotate
/// and revoke keys whose scope and restrictions are within its own. This applies to every kind of restriction:
/// a key for one namespace or one network cannot manage a key that allows more.
final class KeyRights {
    private KeyRights() {}

    /// Returns whether the caller may manage the key.
    static boolean cover(Caller.Known caller, ApiKeyRows.Row key) {
        return caller.scope().includes(key.scope()) && caller.restrictions().cover(key.restrictions());
    }

    /// @throws ProblemException not-found, even for a key that exists but that the caller may not manage
    static ApiKeyRows.Row visible(Tx tx, Caller.Known caller, UUID id) {
        return ApiKeyRows.find(tx, caller.organizationId(), id)
                .filter(row -> cover(caller, row))
                .orElseThrow(() -> new Problem.NotFound("API key " + id).raise());
    }

    /// Returns the expiry of the caller's own key; keys that it creates must not work longer. Null if there is
    /// no such limit, as for people, whose roles do not end with their sessions.
    static @Nullable Instant end(Caller.Known caller) {
        return caller.credential() instanceof Credential.Key ? caller.endsAt() : null;
    }

    /// Refuses a key that its creator may not create.
    ///
    /// @param last the latest expiry that the organization's policy allows; null if there is no limit
    /// @throws ProblemException validation-failed
    static void check(Caller.Known creator, NewKey key, @Nullable Instant last) {
        var errors = new ArrayList<FieldError>();
        if (!creator.scope().includes(key.scope())) {
            errors.add(new FieldError("/scopes", "range", "must be within the scopes of its creator"));
        }
        if (!creator.restrictions().cover(key.restrictions())) {
            errors.add(new FieldError("/restrictions", "range", "must be within the restrictions of its creator"));
        }
        var end = end(creator);
        if (!KeyEnds.isWithin(key.expiresAt(), end)) {
            errors.add(new FieldError(
                    "/expiresAt", "range", "must not be after " + end + ", when the key that creates it expires"));
        } else if (!KeyEnds.isWithin(key.expiresAt(), last)) {
            errors.add(new FieldError(
                    "/expiresAt", "range", "must not be after " + last + ", the limit of the organization's policy"));
        }
        if (!errors.isEmpty()) {
            throw new Problem.ValidationFailed(errors).raise();
        }
    }
}
