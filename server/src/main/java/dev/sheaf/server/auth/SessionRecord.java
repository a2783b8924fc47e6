package dev.sheaf.server.auth;

import dev.sheaf.model.key.Scope;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What authentication needs to know of a session.
///
/// @param organizations where the person is a member, and what their role there comes to
/// @param home the organization that the person acts for where a request names none; null: a member of none
/// @param endsAt when the session is over
/// @param revokedAt when it was ended, or its person's account disabled
public record SessionRecord(
        UUID id,
        UUID userId,
        String email,
        Map<UUID, Scope> organizations,
        @Nullable UUID home,
        Instant endsAt,
        @Nullable Instant revokedAt) {
    /// Owns nothing: whom a person acts for who is no member anywhere.
    public static final UUID NO_ORGANIZATION = new UUID(0, 0);

    public SessionRecord {
        organizations = Map.copyOf(organizations);
    }
}
