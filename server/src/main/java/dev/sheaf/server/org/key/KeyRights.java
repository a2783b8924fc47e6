package dev.sheaf.server.org.key;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// No key grants more than it has (contract 5.1), on no path.
///
/// A caller makes keys whose scope, restrictions and end lie within its own, and sees, changes, rotates and revokes
/// those whose scope and restrictions do, all three kinds of restrictions alike: a key for one namespace, or for
/// one network, has no say over a key that is good for more.
final class KeyRights {
    private KeyRights() {}

    /// True where the caller has a say over the key.
    static boolean cover(Caller.Known caller, ApiKeyRows.Row key) {
        return caller.scope().includes(key.scope()) && caller.restrictions().cover(key.restrictions());
    }

    /// @throws ProblemException not-found, also where the caller has no say over the key
    static ApiKeyRows.Row visible(Tx tx, Caller.Known caller, UUID id) {
        return ApiKeyRows.find(tx, caller.organizationId(), id)
                .filter(row -> cover(caller, row))
                .orElseThrow(() -> new Problem.NotFound("API key " + id).raise());
    }

    /// When the caller's own key ends, after which none that it makes may work; null: never. People's roles do not
    /// end with their sessions.
    static @Nullable Instant end(Caller.Known caller) {
        return caller.credential() instanceof Credential.Key ? caller.endsAt() : null;
    }

    /// Refuses a key that its creator may not make.
    ///
    /// @param last when the organization's policy has every key end; null: it does not
    /// @throws ProblemException validation-failed
    static void check(Caller.Known creator, NewKey key, @Nullable Instant last) {
        var errors = new ArrayList<FieldError>();
        if (!creator.scope().includes(key.scope())) {
            errors.add(new FieldError("/scopes", "range", "must lie within the scopes of the key that creates it"));
        }
        if (!creator.restrictions().cover(key.restrictions())) {
            errors.add(new FieldError("/restrictions", "range", "must lie within those of the key that creates it"));
        }
        var end = end(creator);
        if (!KeyEnds.isWithin(key.expiresAt(), end)) {
            errors.add(new FieldError(
                    "/expiresAt", "range", "must not be after " + end + ", when the key that creates it expires"));
        } else if (!KeyEnds.isWithin(key.expiresAt(), last)) {
            errors.add(new FieldError(
                    "/expiresAt", "range", "must not be after " + last + ", by the policy of the organization"));
        }
        if (!errors.isEmpty()) {
            throw new Problem.ValidationFailed(errors).raise();
        }
    }
}
