package dev.sheaf.model.wire.account;

import org.jspecify.annotations.Nullable;

/// An administrator's request to create an account.
///
/// @param password if null, the response contains a token with which the person sets a password
/// @param organization the id or handle of the organization that the person joins; null if the person joins no
/// organization
/// @param role the role in that organization; null means `reader`
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
