package dev.sheaf.model.wire;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An API key without its secret (contract 5.1).
///
/// @param hint prefix and last four characters of the secret
/// @param state `active`, `disabled`, `retiring`, `expired` or `revoked`
/// @param key the secret, in the answer of its creation and never again
public record ApiKey(
        UUID id,
        UUID organizationId,
        String name,
        @Nullable String description,
        List<String> scopes,
        @Nullable KeyRestrictions restrictions,
        String hint,
        String state,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant expiresAt,
        @Nullable Instant lastUsedAt,
        @Nullable Instant revokedAt,
        @Nullable String revokedBy,
        @Nullable String revokedReason,
        @Nullable UUID rotatedFrom,
        @Nullable UUID replacedBy,
        @Nullable String key) {
    /// Hides the secret: this record may reach a log.
    @Override
    public String toString() {
        return "ApiKey[" + id + ", " + name + ", " + hint + ", " + state + "]";
    }

    public ApiKey withKey(@Nullable String secret) {
        return new ApiKey(
                id,
                organizationId,
                name,
                description,
                scopes,
                restrictions,
                hint,
                state,
                createdAt,
                createdBy,
                expiresAt,
                lastUsedAt,
                revokedAt,
                revokedBy,
                revokedReason,
                rotatedFrom,
                replacedBy,
                secret);
    }
}
