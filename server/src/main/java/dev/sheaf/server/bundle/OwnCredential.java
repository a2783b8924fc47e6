package dev.sheaf.server.bundle;

import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A key or a trusted publisher of the organization that owns a bundle. Its pulls are counted by name for the admins
/// of the organization; those of people are not.
///
/// @param actor see [Caller#actor]
record OwnCredential(String actor, UUID organizationId) {
    /// Returns the credential of a caller; null for people and for callers without a credential.
    static @Nullable OwnCredential of(Caller caller) {
        return caller instanceof Caller.Known known
                        && (known.credential() instanceof Credential.Key
                                || known.credential() instanceof Credential.Run)
                ? new OwnCredential(known.actor(), known.organizationId())
                : null;
    }
}
