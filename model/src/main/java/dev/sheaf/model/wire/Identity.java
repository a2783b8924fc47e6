package dev.sheaf.model.wire;

import java.util.List;
import java.util.UUID;

/// Who a credential is (contract 5.4, `publisher/me`).
///
/// @param credentialType `api_key`
/// @param namespaces those it may write to
public record Identity(
        String credentialType,
        UUID credentialId,
        String credentialName,
        Owner organization,
        List<Writable> namespaces) {
    public record Owner(UUID id, String name) {}

    public record Writable(String handle, String displayName) {}
}
