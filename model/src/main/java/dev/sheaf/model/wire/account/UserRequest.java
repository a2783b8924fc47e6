package dev.sheaf.model.wire.account;

import org.jspecify.annotations.Nullable;

/// An account to be made by an administrator.
///
/// @param password null: the answer has a token with which the person sets one
/// @param organization id or handle of the one that the person becomes a member of; null: none
/// @param role in that organization; null: `reader`
public record UserRequest(
        String email,
        @Nullable String fullName,
        @Nullable String password,
        @Nullable String organization,
        @Nullable String role) {
    /// Hides the password: this record may reach a log.
    @Override
    public String toString() {
        return "UserRequest[" + email + "]";
    }
}
