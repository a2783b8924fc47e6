package dev.sheaf.server.auth;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// When an API key stops working, and why.
///
/// @param retireAt when it ends that another has taken the place of
public record KeyLife(
        @Nullable Instant expiresAt,
        @Nullable Instant retireAt,
        @Nullable Instant disabledAt,
        @Nullable Instant revokedAt) {
    /// When the key stops to work by itself, or null where it never does.
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
