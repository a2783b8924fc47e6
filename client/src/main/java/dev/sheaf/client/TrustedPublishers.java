package dev.sheaf.client;

import dev.sheaf.client.http.ApiResource;
import dev.sheaf.model.wire.org.ClaimCondition;
import dev.sheaf.model.wire.org.TrustedPublisher;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The CI workflows that may publish for one organization without an API key (contract 5.3). Every call needs the
/// scope `admin`. Thread-safe.
public final class TrustedPublishers {
    private final ApiResource publishers;

    TrustedPublishers(ApiResource organization) {
        this.publishers = new ApiResource(organization.transport(), organization.path() + "/trusted-publishers");
    }

    /// The request to trust a publisher.
    ///
    /// @param provider `github`, `gitlab` or `oidc`
    /// @param issuer null for the provider's default issuer; required for `oidc`
    /// @param repository the owner and the name; only for `github` and `gitlab`
    /// @param claims further conditions for id_tokens; at least one for `oidc`; null means no further
    /// conditions
    /// @param bundles the names of the bundles that it may publish, with an optional `*` at the end
    public record Request(
            String provider,
            @Nullable String issuer,
            @Nullable String repository,
            @Nullable String workflow,
            @Nullable String environment,
            @Nullable List<ClaimCondition> claims,
            List<String> bundles) {
        public Request {
            claims = claims == null || claims.isEmpty() ? null : List.copyOf(claims);
            bundles = List.copyOf(bundles);
        }
    }

    /// Returns all trusted publishers, in the registry's order.
    public List<TrustedPublisher> list() {
        return publishers.list("", TrustedPublisher.class);
    }

    /// Adds a trusted publisher.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Conflict if the same publisher is trusted already
    public TrustedPublisher add(Request request) {
        return publishers.create("", request, TrustedPublisher.class);
    }

    /// Removes a trusted publisher. Its tokens become invalid within two seconds.
    public void remove(UUID publisher) {
        publishers.transport().head(publishers.call("DELETE", "/" + publisher).expecting(204));
    }
}
