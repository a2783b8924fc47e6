package dev.sheaf.model.wire.account;

import dev.sheaf.model.wire.key.Identity;
import dev.sheaf.model.wire.key.KeyRestrictions;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A credential and its permissions (contract 5.4, `me`).
///
/// @param credentialType `api_key`, `session` or `trusted_publisher`; for an access token, the type of the
/// credential for which it was issued
/// @param hint the prefix and the last four characters of an API key; null for other credentials
/// @param namespaces the namespaces with write access
/// @param scopes all its scopes, including the implied ones
/// @param restrictions null if the credential is not restricted
/// @param grant `all` for the credential itself and for a person who signed in, `delegated` for an access token
/// that was issued to a program
/// @param expiresAt when the credential in the request expires; null if it never expires
/// @param credentialExpiresAt when the API key expires, even if the request contains a token issued for it;
/// null if it never expires
/// @param serverVersion null from servers that do not report their version
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
    /// An organization.
    public record Owner(UUID id, String handle, String name) {}

    /// @param tier the source of the limits; `credential` if the credential has its own limits
    /// @param limits all limits that apply
    public record RateLimit(String tier, List<Limit> limits) {
        public RateLimit {
            limits = limits == null ? List.of() : List.copyOf(limits); // absent in some responses
        }
    }

    /// @param quota the number of requests allowed in any `windowSeconds`
    /// @param remaining the number of requests that are left now
    public record Limit(String policy, long quota, long windowSeconds, long remaining) {}
}
