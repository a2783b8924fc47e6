package dev.sheaf.model.wire.key;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The identity of a credential, for a program that runs bundles (contract 5.4, `runner/me`).
///
/// @param runnerId always the same for a credential
/// @param organizationId null for a person who is not a member of any organization
public record RunnerIdentity(
        String credentialType,
        UUID credentialId,
        String credentialName,
        UUID runnerId,
        @Nullable UUID organizationId,
        @Nullable String organizationName) {}
