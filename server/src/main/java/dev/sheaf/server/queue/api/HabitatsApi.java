package dev.sheaf.server.queue.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PATCH;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.wire.queue.Habitat;
import dev.sheaf.model.wire.queue.Worker;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.Habitats;
import dev.sheaf.server.queue.claim.WorkerPrograms;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Places where work runs, and the programs there.
public final class HabitatsApi {
    private static final String HABITATS = "/v1/organizations/{org_id}/habitats";
    private static final String HABITAT = HABITATS + "/{habitat_id}";
    private static final String WORKERS = "/v1/organizations/{org_id}/workers";
    private static final String WORKER = WORKERS + "/{worker_id}";
    private static final Function<String, UUID> WORKER_ID = PathId.of("worker %s");

    private final Habitats habitats;
    private final WorkerPrograms workers;

    public HabitatsApi(Habitats habitats, WorkerPrograms workers) {
        this.habitats = habitats;
        this.workers = workers;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, HABITATS, RoutePermission.READ, this::list),
                new Route(POST, HABITATS, RoutePermission.WRITE, this::create),
                new Route(GET, HABITAT, RoutePermission.READ, this::get),
                new Route(PATCH, HABITAT, RoutePermission.WRITE, this::edit),
                new Route(DELETE, HABITAT, RoutePermission.WRITE, this::delete),
                new Route(GET, WORKERS, RoutePermission.READ, this::listWorkers),
                new Route(GET, WORKER, RoutePermission.READ, this::getWorker),
                new Route(DELETE, WORKER, RoutePermission.WRITE, this::deleteWorker));
    }

    private Answer list(Call call) {
        return PageRequest.of(call)
                .show((after, limit) -> habitats.list(call.origin().caller(), after, limit), Habitat::id);
    }

    private Answer create(Call call) {
        var created = habitats.create(call.origin(), call.json());
        return Answer.created(call.rawPath() + "/" + created.id(), created);
    }

    private static String place(Call call) {
        return call.parameter("habitat_id");
    }

    private Answer get(Call call) {
        return Answer.ok(habitats.get(call.origin().caller(), place(call)));
    }

    private Answer edit(Call call) {
        var patch = call.json();
        return Answer.ok(habitats.edit(call.origin(), place(call), patch, ConditionalWrite.of(call)));
    }

    private Answer delete(Call call) {
        habitats.delete(call.origin(), place(call), ConditionalWrite.of(call));
        return Answer.empty(204);
    }

    private Answer listWorkers(Call call) {
        return PageRequest.of(call)
                .show((after, limit) -> workers.list(call.origin().caller(), after, limit), Worker::workerId);
    }

    private static UUID worker(Call call) {
        return call.parameter("worker_id", WORKER_ID);
    }

    private Answer getWorker(Call call) {
        return Answer.ok(workers.get(call.origin().caller(), worker(call)));
    }

    private Answer deleteWorker(Call call) {
        workers.delete(call.origin(), worker(call), ConditionalWrite.of(call));
        return Answer.empty(204);
    }
}
