package dev.sheaf.server.org.member;

import java.util.Locale;

/// The state of an invitation.
enum InvitationState {
    PENDING,
    EXPIRED,
    ACCEPTED,
    REVOKED;

    /// Returns whether the invitation can be accepted, now or after it was sent again.
    boolean isOpen() {
        return this == PENDING || this == EXPIRED;
    }

    /// Returns the word in the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
