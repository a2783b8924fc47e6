package dev.sheaf.server.http.message;

import dev.sheaf.server.auth.PathOwners;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.function.Consumer;

/// A route.
///
/// @param pattern segments that are literal, `{parameter}` or `{parameter}.ending`; the last one may end in
/// `:verb`, or be `{parameter...}`, which matches the rest of the path
/// @param cost how requests count under rate limits
/// @param waits whether its handler may wait for other callers; such requests are not queued per caller
/// @param use the use of a key that this route is open to, if the key is confined to that use; empty if there
/// is none
public record Route(
        RouteMethod method,
        String pattern,
        RoutePermission need,
        RequestCost cost,
        boolean waits,
        String use,
        Handler handler) {
    /// Answers a call, or throws a [dev.sheaf.model.ProblemException].
    public interface Handler {
        Answer handle(Call call);
    }

    private static final String RUNNER = "/v1/runner/";

    /// A route with the usual cost of its method: a GET counts as a read, or is free if no credential is checked.
    public Route(RouteMethod method, String pattern, RoutePermission need, Handler handler) {
        this(method, pattern, need, pattern.startsWith(RUNNER) ? RequestCost.RUNNER : usual(method, need), handler);
    }

    public Route(RouteMethod method, String pattern, RoutePermission need, RequestCost cost, Handler handler) {
        this(method, pattern, need, cost, false, "", handler);
    }

    private static RequestCost usual(RouteMethod method, RoutePermission need) {
        if (need == RoutePermission.NONE) {
            return method == RouteMethod.GET ? RequestCost.FREE : RequestCost.READ;
        }
        return method == RouteMethod.GET ? RequestCost.READ : RequestCost.WRITE;
    }

    /// Returns whether a request may change something. Signing in, tokens, and reads by POST do not count.
    public boolean changes() {
        return method != RouteMethod.GET
                && need != RoutePermission.NONE
                && (need != RoutePermission.PUBLIC_READ || cost == RequestCost.WRITE);
    }

    /// Returns the route, restricted to members of the organization in the path, or to administrators for an
    /// administrative path. Pages are restricted as the API is.
    public Route within(PathOwners owners) {
        if (pattern.startsWith("/v1/organizations/{org_id}") || pattern.startsWith("/organizations/{org_id}")) {
            return guarded(call -> call.within(owners.own(call.origin().caller(), call.parameter("org_id"))));
        }
        return pattern.startsWith("/v1/admin/") || pattern.equals("/admin") || pattern.startsWith("/admin/")
                ? guarded(call -> owners.administrator(call.origin().caller()))
                : this;
    }

    private Route guarded(Consumer<Call> guard) {
        return new Route(method, pattern, need, cost, waits, use, call -> {
            guard.accept(call);
            return handler.handle(call);
        });
    }

    public Route costing(RequestCost other) {
        return new Route(method, pattern, need, other, waits, use, handler);
    }

    public Route waiting() {
        return new Route(method, pattern, need, cost, true, use, handler);
    }

    /// Returns the route, open to keys that are confined to that use.
    public Route open(String toUse) {
        return new Route(method, pattern, need, cost, waits, toUse, handler);
    }
}
