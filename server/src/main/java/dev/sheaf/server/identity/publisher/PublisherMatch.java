package dev.sheaf.server.identity.publisher;

import dev.sheaf.model.OAuthError;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.auth.oidc.IdToken;
import dev.sheaf.server.auth.oidc.IdTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Compares an id_token with the requirements of a trusted publisher, claim by claim.
final class PublisherMatch {
    private PublisherMatch() {}

    /// A claim with an unexpected value.
    ///
    /// @param step the position of the claim in the order of the comparison
    private record Miss(int step, String claim, @Nullable String actual, String expected) {}

    /// Returns the first of the candidates that the token matches; all matches must belong to one organization.
    ///
    /// @throws ProblemException token-refused: invalid_grant that names the first wrong claim of the closest
    /// candidate; invalid_request if publishers of several organizations match
    static PublisherRows.Row only(List<PublisherRows.Row> candidates, IdToken token) {
        Optional<Miss> furthest = Optional.empty();
        var fitting = new ArrayList<PublisherRows.Row>();
        for (var candidate : candidates) {
            var miss = miss(candidate.publisher(), token);
            if (miss.isEmpty()) {
                fitting.add(candidate);
            } else if (furthest.isEmpty() || miss.get().step() > furthest.get().step()) {
                furthest = miss;
            }
        }
        if (fitting.stream().map(PublisherRows.Row::organizationId).distinct().count() > 1) {
            throw OAuthError.INVALID_REQUEST.refuse("several organizations trust this id_token; name the one for the"
                    + " token by organization=ID or HANDLE, or by bundles");
        }
        if (fitting.isEmpty()) {
            throw furthest.map(miss -> IdTokens.refuse(miss.claim(), miss.actual(), miss.expected()))
                    .orElseGet(() -> OAuthError.INVALID_GRANT.refuse(
                            "no trusted publisher matches this id_token: no publisher has its issuer" + about(token)));
        }
        return fitting.getFirst();
    }

    private static String about(IdToken token) {
        return token.text("repository")
                .or(() -> token.text("project_path"))
                .map(repository -> " and the claim repository or project_path " + Quoted.of(repository))
                .orElse("");
    }

    /// Refuses workflows that run code proposed by outsiders with the rights of the repository.
    static void safe(IdToken token) {
        if (token.values("event_name").contains("pull_request_target")) {
            throw IdTokens.refuse("event_name", "pull_request_target", "an event that outsiders cannot cause");
        }
    }

    private static Optional<Miss> miss(NewPublisher publisher, IdToken token) {
        var provider = publisher.provider();
        return provider.hasRepositories()
                ? named(publisher, provider, token)
                        .or(() -> pinned(publisher, provider, token))
                        .or(() -> workflow(publisher, provider, token))
                        .or(() -> equal(5, "environment", token, publisher.environment()))
                        .or(() -> ruled(publisher, token))
                : ruled(publisher, token);
    }

    private static Optional<Miss> named(NewPublisher publisher, WorkflowProvider provider, IdToken token) {
        String expected = String.valueOf(publisher.repository());
        return provider.repository(token).equals(Optional.of(expected))
                ? Optional.empty()
                : missed(1, provider.repositoryClaim(), token, expected);
    }

    private static Optional<Miss> pinned(NewPublisher publisher, WorkflowProvider provider, IdToken token) {
        return equal(2, provider.repositoryIdClaim(), token, publisher.repositoryId())
                .or(() -> equal(3, provider.ownerIdClaim(), token, publisher.ownerId()));
    }

    private static Optional<Miss> workflow(NewPublisher publisher, WorkflowProvider provider, IdToken token) {
        String file = publisher.workflow();
        String claim = provider.workflowClaim();
        boolean fits = file == null
                || token.text(claim)
                        .filter(ref -> provider.isWorkflow(ref, String.valueOf(publisher.repository()), file))
                        .isPresent();
        return fits ? Optional.empty() : missed(4, claim, token, "one of the workflow " + file);
    }

    private static Optional<Miss> equal(int step, String claim, IdToken token, @Nullable String expected) {
        return expected == null || token.text(claim).equals(Optional.of(expected))
                ? Optional.empty()
                : missed(step, claim, token, expected);
    }

    private static Optional<Miss> ruled(NewPublisher publisher, IdToken token) {
        for (int i = 0; i < publisher.claims().size(); i++) {
            var rule = publisher.claims().get(i);
            if (!rule.holds(token)) {
                return missed(6 + i, rule.claim(), token, rule.expected());
            }
        }
        return Optional.empty();
    }

    private static Optional<Miss> missed(int step, String claim, IdToken token, String expected) {
        var values = token.values(claim);
        return Optional.of(new Miss(step, claim, values.isEmpty() ? null : String.join(", ", values), expected));
    }
}
