package dev.sheaf.client;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Whom the registry takes the caller for (contract 5.4).
///
/// @param credentialName the label of the key
/// @param organization the one that the key belongs to
/// @param namespaces those that the key may write to
public record Identity(
        @Nullable String credentialType,
        @Nullable String credentialId,
        @Nullable String credentialName,
        @Nullable Organization organization,
        @Nullable List<Namespace> namespaces) {
    public record Organization(UUID id, String name) {}

    public record Namespace(String handle, @Nullable String displayName) {}
}
