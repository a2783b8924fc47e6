package dev.sheaf.model.wire.org;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A CI workflow that may publish bundles without an API key. The id_tokens of its provider identify it.
///
/// @param provider `github`, `gitlab` or `oidc`
/// @param repository the owner and the name, in lower case
/// @param repositoryId the provider's id of the repository; if it was not given, the first use sets it
/// @param bundles the names of the bundles that it may publish, with an optional `*` at the end
/// @param pending the names in `bundles` that do not exist yet
/// @param state `pending` until one of its bundles exists, then `active`
/// @param audiences the accepted values of the claim `aud` in its id_tokens; if empty, the registry accepts no
/// id_token until its operator sets `public-url`; null if the registry does not report them
public record TrustedPublisher(
        UUID id,
        UUID organizationId,
        String provider,
        String issuer,
        @Nullable String repository,
        @Nullable String repositoryId,
        @Nullable String repositoryOwnerId,
        @Nullable String workflow,
        @Nullable String environment,
        List<ClaimCondition> claims,
        List<String> bundles,
        List<String> pending,
        String state,
        @Nullable List<String> audiences,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant lastUsedAt) {
    public TrustedPublisher {
        claims = List.copyOf(claims);
        bundles = List.copyOf(bundles);
        pending = List.copyOf(pending);
        audiences = audiences == null ? null : List.copyOf(audiences);
    }
}
