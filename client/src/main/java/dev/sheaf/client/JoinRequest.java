package dev.sheaf.client;

import org.jspecify.annotations.Nullable;

/// The body of an acceptance of an invitation.
///
/// @param password of the account to be made; null for somebody who signed in
record JoinRequest(
        String token, @Nullable String password, @Nullable String fullName) {
    /// Hides the secrets.
    @Override
    public String toString() {
        return "JoinRequest[…]";
    }
}
