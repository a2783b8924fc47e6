package dev.sheaf.server.v1.queue;

import static dev.sheaf.server.http.message.Method.DELETE;
import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.PATCH;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.wire.queue.Schedule;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
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
                new Route(GET, ALL, Need.READ, this::list),
                new Route(POST, ALL, Need.WRITE, this::create),
                new Route(GET, ONE, Need.READ, this::get),
                new Route(PATCH, ONE, Need.WRITE, this::edit),
                new Route(DELETE, ONE, Need.WRITE, this::delete));
    }

    private Answer list(Call call) {
        var queue = QueuesApi.queue(call, queues);
        return Paging.of(call).show((after, limit) -> schedules.list(queue, after, limit), Schedule::id);
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
