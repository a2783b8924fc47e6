package dev.sheaf.model.wire.account;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An account, with a single-use token to set its password.
///
/// @param passwordToken only in the response that creates it; null if the account already has a password
/// @param passwordTokenExpiresAt when the unused token expires
public record UserTicket(
        User user, @Nullable String passwordToken, @Nullable Instant passwordTokenExpiresAt) {
    /// Hides the token, since this record may be logged.
    @Override
    public String toString() {
        return "UserTicket[" + user.id() + "]";
    }

    /// Returns a copy without the token.
    public UserTicket withoutToken() {
        return new UserTicket(user, null, passwordTokenExpiresAt);
    }
}
