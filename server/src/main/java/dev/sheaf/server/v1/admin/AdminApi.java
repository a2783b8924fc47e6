package dev.sheaf.server.v1.admin;

import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.TaskRecord;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.maintenance.Stats;
import dev.sheaf.server.maintenance.Tasks;
import dev.sheaf.server.org.Installation;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// What administrators of the installation do: start upkeep and watch it. Every handler asks [Installation] first.
public final class AdminApi {
    private static final int MAX_NAME = 100;

    private final Installation installation;
    private final Tasks tasks;
    private final Stats stats;

    public AdminApi(Installation installation, Tasks tasks, Stats stats) {
        this.installation = installation;
        this.tasks = tasks;
        this.stats = stats;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/admin/stats", Need.ADMIN, guarded(call -> Answer.ok(stats.read()))),
                new Route(GET, "/v1/admin/tasks", Need.ADMIN, guarded(this::list)),
                new Route(POST, "/v1/admin/tasks", Need.ADMIN, guarded(this::start)),
                new Route(GET, "/v1/admin/tasks/{task_id}", Need.ADMIN, guarded(this::get)),
                new Route(POST, "/v1/admin/tasks/{task_id}:cancel", Need.ADMIN, guarded(this::cancel)));
    }

    private Route.Handler guarded(Route.Handler handler) {
        return call -> {
            installation.administrator(call.origin().caller());
            return handler.handle(call).with("Cache-Control", "private, no-store");
        };
    }

    private Answer list(Call call) {
        var paging = Paging.of(call);
        var rows = tasks.list(paging.after(), paging.fetch());
        return paging.answer(rows, row -> row.id().toString(), Function.identity());
    }

    private Answer start(Call call) {
        var fields = call.json();
        String name = fields.required("task", MAX_NAME);
        if (!name.isEmpty() && tasks.find(name).isEmpty()) {
            fields.error("task", "unknown", "must be one of " + String.join(", ", tasks.names()));
        }
        boolean dryRun = Boolean.TRUE.equals(fields.flag("dryRun"));
        fields.finish();
        TaskRecord started = tasks.start(call.origin(), name, dryRun);
        return Answer.created(call.rawPath() + "/" + started.id(), started);
    }

    private Answer get(Call call) {
        return Answer.ok(tasks.get(id(call)));
    }

    private Answer cancel(Call call) {
        return Answer.ok(tasks.cancel(call.origin(), id(call)));
    }

    private static UUID id(Call call) {
        String text = call.parameter("task_id");
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new Problem.NotFound("a run of a task with this id").raise();
        }
    }
}
