package dev.sheaf.model.wire.account;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A person with an account (contract 5.4).
///
/// @param state `active`, `disabled`, or `invited`: nobody has set a password or signed in yet
/// @param timeZone of the IANA database, in which the console shows times; null: UTC
/// @param totpEnabled whether signing in with the password takes a code too
/// @param organizations where the person is a member
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
