package dev.sheaf.model.wire.org;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A CI workflow that may publish bundles without an API key, identified by id_tokens of its provider.
///
/// @param provider `github`, `gitlab` or `oidc`
/// @param repository owner and name, in lower case
/// @param repositoryId the provider's id of the repository; if it was not given, it is learned at the first use
/// @param bundles that it may publish, one trailing `*` allowed
/// @param pending those bundles that do not exist yet
/// @param state `pending` until one of its bundles exists, then `active`
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
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant lastUsedAt) {
    public TrustedPublisher {
        claims = List.copyOf(claims);
        bundles = List.copyOf(bundles);
        pending = List.copyOf(pending);
    }
}
