package dev.sheaf.server.identity;

import dev.sheaf.model.EmailAddress;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A person's account.
///
/// @param timeZone the zone in which pages show times; null for UTC
/// @param password the stored form of the password; null if no password is set
/// @param emailProvedAt when an OpenID provider proved that the address belongs to the person; null before that
/// @param hasTotp whether signing in also requires a code
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

    /// Leaves out the password's hash, since this record may reach a log.
    @Override
    public String toString() {
        return "Account[" + id + ", " + state() + "]";
    }
}
