package dev.sheaf.server.org.member;

import java.util.Locale;

/// What becomes of an invitation.
enum InvitationState {
    PENDING,
    EXPIRED,
    ACCEPTED,
    REVOKED;

    /// Whether it can be accepted still, or once it is sent again.
    boolean isOpen() {
        return this == PENDING || this == EXPIRED;
    }

    /// The word that is shown.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
