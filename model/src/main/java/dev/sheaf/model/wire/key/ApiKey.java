package dev.sheaf.model.wire.key;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An API key without its secret (contract 5.1).
///
/// @param hint prefix and last four characters of the secret
/// @param state `active`, `disabled`, `retiring`, `expired` or `revoked`
/// @param retiresAt when a rotated key stops working
/// @param access what the key may do with the bundle, in a list of a bundle's keys: its highest scope
/// @param key the secret, only in the response that creates it
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
        @Nullable Instant retiresAt,
        @Nullable String access,
        @Nullable String key) {
    /// Hides the secret, since this record may be logged.
    @Override
    public String toString() {
        return "ApiKey[" + id + ", " + name + ", " + hint + ", " + state + "]";
    }

    public ApiKey withKey(@Nullable String secret) {
        return copy(lastUsedAt, access, secret);
    }

    public ApiKey withAccess(String scope) {
        return copy(lastUsedAt, scope, key);
    }

    /// Returns a copy without the members that change with every use.
    public ApiKey withoutUse() {
        return copy(null, access, key);
    }

    private ApiKey copy(@Nullable Instant used, @Nullable String scope, @Nullable String secret) {
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
                used,
                revokedAt,
                revokedBy,
                revokedReason,
                rotatedFrom,
                replacedBy,
                retiresAt,
                scope,
                secret);
    }
}
