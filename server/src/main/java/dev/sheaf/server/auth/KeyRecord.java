package dev.sheaf.server.auth;

import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.Scope;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What authentication needs to know of a key.
public record KeyRecord(
        UUID id,
        UUID organizationId,
        String name,
        String hint,
        Scope scope,
        Restrictions restrictions,
        KeyState state) {
    /// When a key stops working, and why.
    public record KeyState(
            @Nullable Instant expiresAt,
            @Nullable Instant retireAt,
            @Nullable Instant disabledAt,
            @Nullable Instant revokedAt) {
        /// When the key stops to work by itself, or null where it never does.
        public @Nullable Instant endsAt() {
            return expiresAt == null || (retireAt != null && retireAt.isBefore(expiresAt)) ? retireAt : expiresAt;
        }

        /// Why the key is of no use at `now`, or empty where it works.
        public Optional<CredentialFault> fault(Instant now) {
            if (revokedAt != null) {
                return Optional.of(CredentialFault.REVOKED);
            }
            if (isPast(expiresAt, now) || isPast(retireAt, now)) {
                return Optional.of(CredentialFault.EXPIRED);
            }
            return disabledAt != null ? Optional.of(CredentialFault.DISABLED) : Optional.empty();
        }

        /// The word of the API: `active`, `disabled`, `retiring`, `expired` or `revoked`.
        public String word(Instant now) {
            return fault(now)
                    .map(fault -> switch (fault) {
                        case REVOKED -> "revoked";
                        case EXPIRED -> "expired";
                        default -> "disabled";
                    })
                    .orElse(retireAt != null ? "retiring" : "active");
        }

        private static boolean isPast(@Nullable Instant end, Instant now) {
            return end != null && !now.isBefore(end);
        }
    }
}
