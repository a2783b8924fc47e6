package dev.sheaf.server.http.message;

import dev.sheaf.server.auth.PathOwners;
import dev.sheaf.server.http.policy.Cost;
import dev.sheaf.server.http.policy.Need;
import java.util.function.Consumer;

/// A route.
///
/// @param pattern segments that are literal, `{parameter}` or `{parameter}.ending`; the last may end in `:verb`,
/// or be `{parameter...}` for the rest
/// @param cost what it counts as under rate limits
/// @param waits whether its handler waits for other callers, so that it takes no turn among its caller's requests
/// @param use the use that lets keys confined to it call this route; empty for none
public record Route(Method method, String pattern, Need need, Cost cost, boolean waits, String use, Handler handler) {
    /// Answers a call, or throws a [dev.sheaf.model.ProblemException].
    public interface Handler {
        Answer handle(Call call);

        /// Refuses a caller who may not make such a call, whatever its query and body are. Changes nothing.
        ///
        /// @throws dev.sheaf.model.ProblemException as [#handle]
        default void permit(Call call) {}
    }

    /// A handler for callers whom a guard lets pass.
    private record Guarded(Consumer<Call> guard, Handler handler) implements Handler {
        @Override
        public Answer handle(Call call) {
            guard.accept(call);
            return handler.handle(call);
        }

        @Override
        public void permit(Call call) {
            guard.accept(call);
            handler.permit(call);
        }
    }

    /// A route with the usual cost of its method: a GET counts as a read, or is free if no credential is checked.
    public Route(Method method, String pattern, Need need, Handler handler) {
        this(method, pattern, need, usual(method, need), handler);
    }

    public Route(Method method, String pattern, Need need, Cost cost, Handler handler) {
        this(method, pattern, need, cost, false, "", handler);
    }

    private static Cost usual(Method method, Need need) {
        if (need == Need.NONE) {
            return method == Method.GET ? Cost.FREE : Cost.READ;
        }
        return method == Method.GET ? Cost.READ : Cost.WRITE;
    }

    /// Returns the route, restricted to members of the organization in the path, or to administrators for an
    /// administrative path.
    public Route within(PathOwners owners) {
        if (pattern.startsWith("/v1/organizations/{org_id}")) {
            return guarded(call -> call.within(owners.own(call.origin().caller(), call.parameter("org_id"))));
        }
        return pattern.startsWith("/v1/admin/")
                ? guarded(call -> owners.administrator(call.origin().caller()))
                : this;
    }

    private Route guarded(Consumer<Call> guard) {
        return new Route(method, pattern, need, cost, waits, use, new Guarded(guard, handler));
    }

    public Route costing(Cost other) {
        return new Route(method, pattern, need, other, waits, use, handler);
    }

    public Route waiting() {
        return new Route(method, pattern, need, cost, true, use, handler);
    }

    /// Returns the route, open also to keys that are confined to that use.
    public Route open(String toUse) {
        return new Route(method, pattern, need, cost, waits, toUse, handler);
    }
}
