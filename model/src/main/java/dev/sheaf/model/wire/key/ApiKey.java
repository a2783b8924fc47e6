package dev.sheaf.model.wire.key;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An API key (contract 5.1).
///
/// @param hint the prefix and the last four characters of the secret
/// @param state `active`, `disabled`, `retiring`, `expired` or `revoked`
/// @param retiresAt when a rotated key stops working
/// @param lastUsedFrom the address of the client that used the key last
/// @param access the key's highest scope for one bundle, only in the list of the keys with access to that
/// bundle
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
        @Nullable String lastUsedFrom,
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

    /// Returns a copy with the key itself.
    public ApiKey withKey(@Nullable String secret) {
        return copy(lastUsedAt, lastUsedFrom, access, secret);
    }

    /// Returns a copy with this scope.
    public ApiKey withAccess(String scope) {
        return copy(lastUsedAt, lastUsedFrom, scope, key);
    }

    /// Returns a copy without the members that change with every use.
    public ApiKey withoutUse() {
        return copy(null, null, access, key);
    }

    private ApiKey copy(
            @Nullable Instant used, @Nullable String from, @Nullable String scope, @Nullable String secret) {
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
                from,
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
