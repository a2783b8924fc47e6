package dev.sheaf.model.wire.org;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An invitation to an organization (contract 5.5).
///
/// @param role the role of the new member: `owner`, `admin`, `publisher` or `reader`
/// @param state `pending`, `expired`, `accepted` or `revoked`
/// @param token the token that accepts it, only in the response that creates it
public record Invitation(
        UUID id,
        UUID organizationId,
        String email,
        String role,
        String state,
        Instant createdAt,
        String createdBy,
        Instant expiresAt,
        @Nullable Instant acceptedAt,
        @Nullable String token) {
    /// Returns a copy with the token.
    public Invitation withToken(@Nullable String secret) {
        return new Invitation(
                id, organizationId, email, role, state, createdAt, createdBy, expiresAt, acceptedAt, secret);
    }

    /// Hides the token, since this record may be logged.
    @Override
    public String toString() {
        return "Invitation[" + id + ", " + state + "]";
    }
}
