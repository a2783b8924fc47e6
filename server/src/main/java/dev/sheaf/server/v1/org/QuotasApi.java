package dev.sheaf.server.v1.org;

import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.PATCH;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.org.quota.QuotaOverride;
import dev.sheaf.server.org.quota.Quotas;
import java.util.List;

/// An organization's usage and quotas: shown to its own keys, set by administrators of the installation.
public final class QuotasApi {

    private final Quotas quotas;

    public QuotasApi(Quotas quotas) {
        this.quotas = quotas;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/organizations/{org_id}/usage", Need.READ, this::usage),
                new Route(PATCH, "/v1/admin/organizations/{org_id}/quota", Need.ADMIN, this::set));
    }

    private Answer usage(Call call) {
        return Answer.ok(quotas.usage(call.origin().caller()));
    }

    private Answer set(Call call) {
        return Answer.ok(quotas.set(
                call.origin(),
                call.parameter("org_id"),
                ConditionalWrite.of(call),
                call.json().to(QuotaOverride::parse)));
    }
}
