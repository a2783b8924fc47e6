package dev.sheaf.server.queue.api;

import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.server.auth.JobUses;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.claim.WorkerPrograms;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Lets worker programs register and describe themselves.
public final class WorkersApi {
    private static final String ONE = "/v1/runner/workers/{worker_id}";
    private static final Function<String, UUID> ID = PathId.of("worker %s");

    private final WorkerPrograms workers;

    public WorkersApi(WorkerPrograms workers) {
        this.workers = workers;
    }

    public List<Route> routes() {
        return List.of(
                new Route(POST, "/v1/runner/workers:register", RoutePermission.WRITE, this::register)
                        .open(JobUses.WORK),
                new Route(POST, ONE + ":heartbeat", RoutePermission.WRITE, this::heartbeat).open(JobUses.WORK),
                new Route(POST, ONE + ":deregister", RoutePermission.WRITE, this::deregister).open(JobUses.WORK));
    }

    private static UUID id(Call call) {
        return call.parameter("worker_id", ID);
    }

    private Answer register(Call call) {
        var registered = workers.register(call.origin().caller(), call.json());
        String place = "/v1/organizations/" + call.origin().organizationId() + "/workers/" + registered.workerId();
        return Answer.created(place, registered);
    }

    private Answer heartbeat(Call call) {
        return Answer.ok(workers.heartbeat(call.origin().caller(), id(call), call.jsonOrNothing()));
    }

    private Answer deregister(Call call) {
        return Answer.ok(workers.deregister(call.origin().caller(), id(call), call.jsonOrNothing()));
    }
}
