package dev.sheaf.server.v1.admin;

import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.POST;
import static dev.sheaf.server.http.message.Method.PUT;

import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.server.auth.ReadOnly;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.maintenance.Mode;
import dev.sheaf.server.maintenance.Stats;
import dev.sheaf.server.maintenance.Tasks;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Lets administrators of the installation start and watch maintenance tasks.
public final class AdminApi {
    private static final Function<String, UUID> ID = PathId.of("the run %s of a task");

    private final Tasks tasks;
    private final Stats stats;
    private final Mode mode;

    public AdminApi(Tasks tasks, Stats stats, Mode mode) {
        this.tasks = tasks;
        this.stats = stats;
        this.mode = mode;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/admin/stats", Need.ADMIN, fresh(call -> Answer.ok(stats.read()))),
                new Route(GET, ReadOnly.PATH, Need.ADMIN, fresh(call -> Answer.ok(mode.read()))),
                new Route(PUT, ReadOnly.PATH, Need.ADMIN, fresh(this::setMode)),
                new Route(
                        GET,
                        "/v1/admin/task-kinds",
                        Need.ADMIN,
                        fresh(call -> Answer.ok(Page.of(tasks.kinds(), null)))),
                new Route(GET, ReadOnly.TASKS, Need.ADMIN, fresh(this::list)),
                new Route(POST, ReadOnly.TASKS, Need.ADMIN, fresh(this::start)),
                new Route(GET, ReadOnly.TASKS + "/{task_id}", Need.ADMIN, fresh(this::get)),
                new Route(POST, ReadOnly.TASKS + "/{task_id}:cancel", Need.ADMIN, fresh(this::cancel)));
    }

    private Route.Handler fresh(Route.Handler handler) {
        return call -> handler.handle(call).with("Cache-Control", "private, no-store");
    }

    private Answer setMode(Call call) {
        return Answer.ok(mode.set(call.origin(), call.json().to(mode::parse)));
    }

    private Answer list(Call call) {
        return Paging.of(call).show(tasks::list, TaskRecord::id);
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
