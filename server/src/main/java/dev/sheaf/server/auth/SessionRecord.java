package dev.sheaf.server.auth;

import dev.sheaf.model.key.Scope;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The facts about a session that authentication needs.
///
/// @param organizations the organizations that the person is a member of, with the scope of the role there
/// @param home the organization that the person acts for if a request names none; null for a person without any
/// @param endsAt when the session expires
/// @param revokedAt when it was ended, or the person's account disabled
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
