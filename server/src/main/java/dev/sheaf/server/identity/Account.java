package dev.sheaf.server.identity;

import dev.sheaf.model.EmailAddress;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A person's account.
///
/// @param timeZone in which pages show times; null: UTC
/// @param password what is stored of it; null: none is set
/// @param emailProvedAt null: nobody has proved that the address is theirs, whoever signs in
/// @param hasTotp whether signing in with it takes a code too
public record Account(
        UUID id,
        EmailAddress email,
        String username,
        @Nullable String fullName,
        @Nullable String timeZone,
        @Nullable String password,
        Instant createdAt,
        @Nullable Instant signedInAt,
        @Nullable Instant disabledAt,
        @Nullable Instant emailProvedAt,
        boolean hasTotp) {
    public boolean isDisabled() {
        return disabledAt != null;
    }

    String state() {
        return isDisabled() ? "disabled" : password == null && signedInAt == null ? "invited" : "active";
    }

    /// Leaves the password's hash out: this record may reach a log.
    @Override
    public String toString() {
        return "Account[" + id + ", " + state() + "]";
    }
}
