package dev.sheaf.server.org.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PUT;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.key.KeyPolicies;
import dev.sheaf.server.org.key.KeyPolicy;
import java.util.List;

/// Shows and changes how long the keys of an organization are valid.
public final class KeyPolicyApi {
    private final KeyPolicies policies;

    public KeyPolicyApi(KeyPolicies policies) {
        this.policies = policies;
    }

    public List<Route> routes() {
        String path = "/v1/organizations/{org_id}/key-policy";
        return List.of(
                new Route(GET, path, RoutePermission.ADMIN, this::get),
                new Route(PUT, path, RoutePermission.ADMIN, this::set));
    }

    private Answer get(Call call) {
        return Answer.ok(policies.get(call.organization()).toWire());
    }

    private Answer set(Call call) {
        var policy = call.json().to(KeyPolicy::parse);
        var set = policies.set(call.origin(), policy, current -> ConditionalWrite.check(call, current.toWire()));
        return Answer.ok(set.toWire());
    }
}
