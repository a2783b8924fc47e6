package dev.sheaf.server.auth;

import dev.sheaf.model.key.Scope;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The properties of a session that authentication needs.
///
/// @param organizations the organizations that the person is a member of, with the scope of the role there
/// @param home the organization that the person acts for if a request does not name one; null for a person
///     without organizations
/// @param endsAt when the session expires
/// @param revokedAt the time at which it was ended, or the person's account was disabled
public record SessionRecord(
        UUID id,
        UUID userId,
        String email,
        Map<UUID, Scope> organizations,
        @Nullable UUID home,
        Instant endsAt,
        @Nullable Instant revokedAt) {
    /// The organization of a person who is not a member of any; it owns nothing.
    public static final UUID NO_ORGANIZATION = new UUID(0, 0);

    public SessionRecord {
        organizations = Map.copyOf(organizations);
    }
}
