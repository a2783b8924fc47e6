package dev.sheaf.model.wire.account;

import dev.sheaf.model.wire.key.Identity;
import dev.sheaf.model.wire.key.KeyRestrictions;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A credential and everything it may do (contract 5.4, `me`).
///
/// @param credentialType `api_key`, `session` or `trusted_publisher`; for an access token the type of the
/// credential from which it was made
/// @param hint of an API key: prefix and last four characters
/// @param namespaces with write access
/// @param scopes all its scopes, including the implied ones
/// @param restrictions null if there are none
/// @param grant `all` for the credential itself and for a person who signed in, `delegated` for an access token
/// that was made for a program
/// @param expiresAt when the credential that was sent expires; null: never
/// @param credentialExpiresAt when the API key expires, also if a token made from it was sent; null: never
/// @param serverVersion version of the server; null from servers that do not report it
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

    /// @param tier the source of the limits; `credential` for limits of its own
    /// @param limits all that apply
    public record RateLimit(String tier, List<Limit> limits) {
        public RateLimit {
            limits = limits == null ? List.of() : List.copyOf(limits); // absent in some responses
        }
    }

    /// @param quota requests in any `windowSeconds`
    /// @param remaining requests left now
    public record Limit(String policy, long quota, long windowSeconds, long remaining) {}
}
