package dev.sheaf.model.wire.account;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An account, and what its owner can set a password with once.
///
/// @param passwordToken in the answer that made it and never again; null: the account has a password already
/// @param passwordTokenExpiresAt when it stops working unused
public record UserTicket(
        User user, @Nullable String passwordToken, @Nullable Instant passwordTokenExpiresAt) {
    /// Hides the token: this record may reach a log.
    @Override
    public String toString() {
        return "UserTicket[" + user.id() + "]";
    }

    /// The same without the secret.
    public UserTicket withoutToken() {
        return new UserTicket(user, null, passwordTokenExpiresAt);
    }
}
