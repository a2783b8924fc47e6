package dev.sheaf.server.maintenance.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;
import static dev.sheaf.server.http.message.RouteMethod.PUT;

import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.server.auth.ReadOnly;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.maintenance.InstallationStats;
import dev.sheaf.server.maintenance.ReadOnlyMode;
import dev.sheaf.server.maintenance.Tasks;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Lets administrators of the installation start and watch maintenance tasks.
public final class AdminApi {
    private static final Function<String, UUID> ID = PathId.of("the run %s of a task");

    private final Tasks tasks;
    private final InstallationStats stats;
    private final ReadOnlyMode mode;

    public AdminApi(Tasks tasks, InstallationStats stats, ReadOnlyMode mode) {
        this.tasks = tasks;
        this.stats = stats;
        this.mode = mode;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/admin/stats", RoutePermission.ADMIN, fresh(call -> Answer.ok(stats.read()))),
                new Route(GET, ReadOnly.PATH, RoutePermission.ADMIN, fresh(call -> Answer.ok(mode.read()))),
                new Route(PUT, ReadOnly.PATH, RoutePermission.ADMIN, fresh(this::setMode)),
                new Route(
                        GET,
                        "/v1/admin/task-kinds",
                        RoutePermission.ADMIN,
                        fresh(call -> Answer.ok(Page.of(tasks.kinds(), null)))),
                new Route(GET, ReadOnly.TASKS, RoutePermission.ADMIN, fresh(this::list)),
                new Route(POST, ReadOnly.TASKS, RoutePermission.ADMIN, fresh(this::start)),
                new Route(GET, ReadOnly.TASKS + "/{task_id}", RoutePermission.ADMIN, fresh(this::get)),
                new Route(POST, ReadOnly.TASKS + "/{task_id}:cancel", RoutePermission.ADMIN, fresh(this::cancel)));
    }

    private Route.Handler fresh(Route.Handler handler) {
        return call -> handler.handle(call).with("Cache-Control", "private, no-store");
    }

    private Answer setMode(Call call) {
        return Answer.ok(mode.set(call.origin(), call.json().to(mode::parse)));
    }

    private Answer list(Call call) {
        return PageRequest.of(call).show(tasks::list, TaskRecord::id);
    }

    private Answer start(Call call) {
        var wanted = call.json().to(tasks::read);
        mode.check(wanted);
        var started = tasks.start(call.origin(), wanted);
        return Answer.created(call.rawPath() + "/" + started.id(), started);
    }

    private Answer get(Call call) {
        return Answer.ok(tasks.get(call.parameter("task_id", ID)));
    }

    private Answer cancel(Call call) {
        return Answer.ok(tasks.cancel(call.origin(), call.parameter("task_id", ID)));
    }
}
