package dev.sheaf.model.wire.account;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A person with an account (contract 5.4).
///
/// @param state `active`, `disabled`, or `invited` until a password is set or the person signs in
/// @param totpEnabled whether signing in with the password also requires a code
/// @param organizations that the person is a member of
public record User(
        UUID id,
        String email,
        String username,
        @Nullable String fullName,
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
