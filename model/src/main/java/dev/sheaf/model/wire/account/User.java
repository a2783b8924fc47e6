package dev.sheaf.model.wire.account;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A person with an account (contract 5.4).
///
/// @param state `active`, `disabled`, or `invited` until the person sets a password or signs in
/// @param timeZone the IANA time zone in which the console shows times; null for UTC
/// @param totpEnabled whether signing in with the password also requires a code
/// @param organizations the organizations of which the person is a member
public record User(
        UUID id,
        String email,
        String username,
        @Nullable String fullName,
        @Nullable String timeZone,
        String state,
        boolean totpEnabled,
        Instant createdAt,
        @Nullable Instant signedInAt,
        List<Belonging> organizations) {
    public User {
        organizations = List.copyOf(organizations);
    }

    /// @param role `owner`, `admin`, `publisher` or `reader`
    public record Belonging(UUID id, String handle, String name, String role) {}
}
