package dev.sheaf.server.org.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PATCH;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.org.quota.QuotaOverride;
import java.util.List;

/// An organization's usage and quotas: shown to its own keys, set by administrators of the installation.
public final class QuotasApi {

    private final QuotaCheck quotas;

    public QuotasApi(QuotaCheck quotas) {
        this.quotas = quotas;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/organizations/{org_id}/usage", RoutePermission.READ, this::usage),
                new Route(PATCH, "/v1/admin/organizations/{org_id}/quota", RoutePermission.ADMIN, this::set));
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
