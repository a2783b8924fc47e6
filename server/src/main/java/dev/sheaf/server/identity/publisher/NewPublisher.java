package dev.sheaf.server.identity.publisher;

import dev.sheaf.server.auth.Restrictions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A trusted publisher to be made.
///
/// @param repository in lower case; there for every provider that has repositories
/// @param repositoryId null: that of the first run
public record NewPublisher(
        Provider provider,
        String issuer,
        @Nullable String repository,
        @Nullable String repositoryId,
        @Nullable String ownerId,
        @Nullable String workflow,
        @Nullable String environment,
        List<ClaimRule> claims,
        Restrictions bundles) {
    public NewPublisher {
        claims = List.copyOf(claims);
    }

    NewPublisher with(Restrictions bundles) {
        return new NewPublisher(
                provider, issuer, repository, repositoryId, ownerId, workflow, environment, claims, bundles);
    }
}
