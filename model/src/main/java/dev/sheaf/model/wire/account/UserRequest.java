package dev.sheaf.model.wire.account;

import org.jspecify.annotations.Nullable;

/// A request of an administrator to create an account.
///
/// @param password null: the response contains a token with which the person sets a password
/// @param organization id or handle of the organization that the person joins; null: none
/// @param role in that organization; null: `reader`
public record UserRequest(
        String email,
        @Nullable String fullName,
        @Nullable String password,
        @Nullable String organization,
        @Nullable String role) {
    /// Hides the password, since this record may be logged.
    @Override
    public String toString() {
        return "UserRequest[" + email + "]";
    }
}
