package dev.sheaf.server.queue.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PATCH;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.wire.queue.Schedule;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.schedule.Schedules;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Schedules, which add jobs to a queue.
public final class SchedulesApi {
    private static final String ALL = QueuesApi.ONE + "/schedules";
    private static final String ONE = ALL + "/{schedule_id}";
    private static final Function<String, UUID> ID = PathId.of("schedule %s");

    private final Queues queues;
    private final Schedules schedules;

    public SchedulesApi(Queues queues, Schedules schedules) {
        this.queues = queues;
        this.schedules = schedules;
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
        var queue = QueuesApi.queue(call, queues);
        return PageRequest.of(call).show((after, limit) -> schedules.list(queue, after, limit), Schedule::id);
    }

    private Answer create(Call call) {
        var body = call.json();
        var created = schedules.create(call.origin(), QueuesApi.queue(call, queues), body);
        return Answer.created(call.rawPath() + "/" + created.id(), created);
    }

    private static UUID id(Call call) {
        return call.parameter("schedule_id", ID);
    }

    private Answer get(Call call) {
        return Answer.ok(schedules.get(QueuesApi.queue(call, queues), id(call)));
    }

    private Answer edit(Call call) {
        var patch = call.json();
        return Answer.ok(schedules.edit(
                call.origin(), QueuesApi.queue(call, queues), id(call), patch, ConditionalWrite.of(call)));
    }

    private Answer delete(Call call) {
        schedules.delete(call.origin(), QueuesApi.queue(call, queues), id(call), ConditionalWrite.of(call));
        return Answer.empty(204);
    }
}
