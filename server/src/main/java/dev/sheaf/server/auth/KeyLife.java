package dev.sheaf.server.auth;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The times that end an API key.
///
/// @param retireAt when a replaced key ends
public record KeyLife(
        @Nullable Instant expiresAt,
        @Nullable Instant retireAt,
        @Nullable Instant disabledAt,
        @Nullable Instant revokedAt) {
    /// Returns when the key ends without further action; null for never.
    public @Nullable Instant endsAt() {
        return expiresAt == null || (retireAt != null && retireAt.isBefore(expiresAt)) ? retireAt : expiresAt;
    }

    public KeyState state(Instant now) {
        Instant end = endsAt();
        if (revokedAt != null) {
            return KeyState.REVOKED;
        }
        if (end != null && !now.isBefore(end)) {
            return KeyState.EXPIRED;
        }
        if (disabledAt != null) {
            return KeyState.DISABLED;
        }
        return retireAt == null ? KeyState.ACTIVE : KeyState.RETIRING;
    }
}
