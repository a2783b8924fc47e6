package dev.sheaf.model.wire.key;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Who a credential is, to a program that runs bundles (contract 5.4, `runner/me`).
///
/// @param runnerId stays the same for a credential
/// @param organizationId null for a person who is a member of none
public record RunnerIdentity(
        String credentialType,
        UUID credentialId,
        String credentialName,
        UUID runnerId,
        @Nullable UUID organizationId,
        @Nullable String organizationName) {}
