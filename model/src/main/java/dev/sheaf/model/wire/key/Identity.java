package dev.sheaf.model.wire.key;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The identity of a credential (contract 5.4, `publisher/me`).
///
/// @param credentialType `api_key`, `session` or `trusted_publisher`
/// @param user the person who signed in; null if the credential does not belong to a person
/// @param organization null for a person who is not a member of any organization
/// @param namespaces the namespaces with write access
public record Identity(
        String credentialType,
        UUID credentialId,
        String credentialName,
        @Nullable Person user,
        @Nullable Owner organization,
        List<Writable> namespaces) {
    /// A person who has signed in.
    public record Person(String email, @Nullable String fullName) {}

    /// An organization.
    public record Owner(UUID id, String name) {}

    /// A namespace in which the credential may publish.
    public record Writable(String handle, String displayName) {}
}
