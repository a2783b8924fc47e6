package dev.sheaf.server.queue.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.wire.queue.Instruction;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.QueueInstructions;
import dev.sheaf.server.queue.Queues;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Instructions for the workers of a queue.
public final class InstructionsApi {
    private static final String ALL = QueuesApi.ONE + "/instructions";
    private static final String ONE = ALL + "/{instruction_id}";
    private static final Function<String, UUID> ID = PathId.of("instruction %s");

    private final Queues queues;
    private final QueueInstructions instructions;

    public InstructionsApi(Queues queues, QueueInstructions instructions) {
        this.queues = queues;
        this.instructions = instructions;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, ALL, RoutePermission.READ, this::list),
                new Route(POST, ALL, RoutePermission.WRITE, this::create),
                new Route(POST, ALL + ":render", RoutePermission.WRITE, RequestCost.READ, this::render),
                new Route(GET, ONE, RoutePermission.READ, this::get),
                new Route(POST, ONE + ":activate", RoutePermission.WRITE, call -> turn(call, true)),
                new Route(POST, ONE + ":deactivate", RoutePermission.WRITE, call -> turn(call, false)));
    }

    private Answer list(Call call) {
        var queue = QueuesApi.queue(call, queues);
        return PageRequest.of(call).show((after, limit) -> instructions.list(queue, after, limit), Instruction::id);
    }

    private Answer create(Call call) {
        var body = call.json();
        var created = instructions.create(call.origin(), QueuesApi.queue(call, queues), body);
        return Answer.created(call.rawPath() + "/" + created.id(), created);
    }

    private static UUID id(Call call) {
        return call.parameter("instruction_id", ID);
    }

    private Answer get(Call call) {
        return Answer.ok(instructions.get(QueuesApi.queue(call, queues), id(call)));
    }

    private Answer turn(Call call, boolean active) {
        return Answer.ok(instructions.turn(call.origin(), QueuesApi.queue(call, queues), id(call), active));
    }

    private Answer render(Call call) {
        var body = call.json();
        return Answer.ok(instructions.render(QueuesApi.queue(call, queues), body, call.registryHost()));
    }
}
