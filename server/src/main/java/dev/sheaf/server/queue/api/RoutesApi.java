package dev.sheaf.server.queue.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PATCH;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.wire.queue.JobRoute;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.route.JobRoutes;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Routes, which turn events into jobs.
public final class RoutesApi {
    private static final String ALL = "/v1/organizations/{org_id}/routes";
    private static final String ONE = ALL + "/{route_id}";
    private static final Function<String, UUID> ID = PathId.of("route %s");

    private final JobRoutes jobRoutes;

    public RoutesApi(JobRoutes jobRoutes) {
        this.jobRoutes = jobRoutes;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, ALL, RoutePermission.READ, this::list),
                new Route(POST, ALL, RoutePermission.WRITE, this::create),
                new Route(GET, ONE, RoutePermission.READ, this::get),
                new Route(PATCH, ONE, RoutePermission.WRITE, this::edit),
                new Route(DELETE, ONE, RoutePermission.WRITE, this::delete));
    }

    private Answer list(Call call) {
        return PageRequest.of(call)
                .show((after, limit) -> jobRoutes.list(call.origin().caller(), after, limit), JobRoute::id);
    }

    private Answer create(Call call) {
        var created = jobRoutes.create(call.origin(), call.json());
        return Answer.created(call.rawPath() + "/" + created.id(), created);
    }

    private static UUID id(Call call) {
        return call.parameter("route_id", ID);
    }

    private Answer get(Call call) {
        return Answer.ok(jobRoutes.get(call.origin().caller(), id(call)));
    }

    private Answer edit(Call call) {
        var patch = call.json();
        return Answer.ok(jobRoutes.edit(call.origin(), id(call), patch, ConditionalWrite.of(call)));
    }

    private Answer delete(Call call) {
        jobRoutes.delete(call.origin(), id(call), ConditionalWrite.of(call));
        return Answer.empty(204);
    }
}
