package dev.sheaf.model.wire.account;

import dev.sheaf.model.wire.key.Identity;
import dev.sheaf.model.wire.key.KeyRestrictions;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Everything about a credential and what it may do (contract 5.4, `me`).
///
/// @param credentialType `api_key`, `session` or `trusted_publisher`: what an access token was made from, too
/// @param hint of an API key: prefix and last four characters
/// @param namespaces those it may write to
/// @param scopes all that it has, the included ones too
/// @param restrictions null where nothing is confined
/// @param grant `all` for the credential itself and for a person who signed in, `delegated` for an access token
/// that was handed on to a program
/// @param expiresAt when what was sent stops to work; null: never
/// @param credentialExpiresAt when the API key stops to work, also where a token made from it was sent; null: never
/// @param serverVersion of the program that answers; null from one that does not say
public record Me(
        String credentialType,
        UUID credentialId,
        String credentialName,
        @Nullable String hint,
        Identity.@Nullable Person user,
        @Nullable Owner organization,
        List<Identity.Writable> namespaces,
        UUID runnerId,
        String scope,
        List<String> scopes,
        @Nullable KeyRestrictions restrictions,
        String grant,
        @Nullable Instant expiresAt,
        @Nullable Instant credentialExpiresAt,
        RateLimit rateLimit,
        @Nullable String serverVersion) {
    public record Owner(UUID id, String handle, String name) {}

    /// @param tier whose limits count: `credential` for its own
    /// @param limits each that counts for it
    public record RateLimit(String tier, List<Limit> limits) {
        public RateLimit {
            limits = limits == null ? List.of() : List.copyOf(limits); // where an answer has none
        }
    }

    /// @param quota requests in any `windowSeconds`
    /// @param remaining of them now
    public record Limit(String policy, long quota, long windowSeconds, long remaining) {}
}
