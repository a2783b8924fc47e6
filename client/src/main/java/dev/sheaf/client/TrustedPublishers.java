package dev.sheaf.client;

import dev.sheaf.client.http.Resource;
import dev.sheaf.model.wire.org.ClaimCondition;
import dev.sheaf.model.wire.org.TrustedPublisher;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The workflows elsewhere that may publish for one organization without an API key (contract 5.3); every call
/// needs the scope `admin`. Thread-safe.
public final class TrustedPublishers {
    private final Resource publishers;

    TrustedPublishers(Resource organization) {
        this.publishers = new Resource(organization.transport(), organization.path() + "/trusted-publishers");
    }

    /// A publisher to be trusted.
    ///
    /// @param provider `github`, `gitlab` or `oidc`
    /// @param issuer the provider's own where null; `oidc` has none
    /// @param repository owner and name; for `github` and `gitlab`
    /// @param claims what id_tokens must say; for `oidc` at least one; null: nothing more
    /// @param bundles what it may publish, one trailing `*` allowed
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

    /// All of them, in the registry's order.
    public List<TrustedPublisher> list() {
        return publishers.list("", TrustedPublisher.class);
    }

    /// @throws dev.sheaf.client.api.SheafException.Conflict where the same is trusted already
    public TrustedPublisher add(Request request) {
        return publishers.create("", request, TrustedPublisher.class);
    }

    /// Tokens that were made for it end within a second.
    public void remove(UUID publisher) {
        publishers.transport().head(publishers.call("DELETE", "/" + publisher).expecting(204));
    }
}
