package dev.sheaf.server.console.admin;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.admin.NodeHealth;
import dev.sheaf.model.wire.admin.TaskKindRecord;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The installation: its health, contents, maintenance and settings.
public final class AdminPages {
    private static final ApiPath KINDS = ApiPath.of("/v1/admin/task-kinds");

    private final List<SettingRow> settings;

    /// A setting as a page shows it.
    ///
    /// @param source the source of its value
    public record SettingRow(String name, String value, String source, String meaning) {}

    /// @param settings the settings without secrets
    public AdminPages(List<SettingRow> settings) {
        this.settings = List.copyOf(settings);
    }

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own("/admin", this::overview),
                pages.own("/admin/tasks", this::tasks),
                pages.own("/admin/tasks/start/{task}", page -> question(page, FormErrors.NONE)),
                pages.form("/admin/tasks/start/{task}", page -> start(page, false)),
                pages.form("/admin/tasks/start/{task}/dry-run", page -> start(page, true)),
                pages.own("/admin/tasks/{task_id}", this::task),
                pages.form("/admin/tasks/{task_id}/cancel", this::cancel),
                pages.own("/admin/settings", this::settings));
    }

    private Answer overview(PageCall page) {
        var stats = page.api().get(Map.class, ApiPath.of("/v1/admin/stats"));
        return page.view("Installation", "admin/overview")
                .with("health", page.api().get(NodeHealth.class, ApiPath.of("/v1/admin/health")))
                .with("stats", new TreeMap<>(words(stats)))
                .in("admin")
                .forMachines("GET /v1/admin/stats", "sheaf admin stats")
                .show();
    }

    private static Map<String, String> words(Map<?, ?> stats) {
        var words = new TreeMap<String, String>();
        stats.forEach((name, value) -> words.put(
                String.valueOf(name).replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT),
                String.valueOf(value)));
        return words;
    }

    private Answer tasks(PageCall page) {
        var path = ApiPath.of("/v1/admin/tasks").with("limit", 50).with("cursor", page.query("cursor"));
        var found = page.api().list(TaskRecord.class, path);
        String next = found.meta().nextCursor();
        return page.naming(page.names(found.data().stream().map(TaskRecord::startedBy)))
                .view("Tasks", "admin/tasks")
                .with("tasks", found.data())
                .with("kinds", page.api().list(TaskKindRecord.class, KINDS).data())
                .with(
                        "next",
                        next == null
                                ? ""
                                : ApiPath.of("/admin/tasks")
                                        .with("cursor", next)
                                        .toString())
                .in("admin")
                .forMachines("GET /v1/admin/tasks", "sheaf admin tasks")
                .show();
    }

    /// What a task does and what would change now, before it starts.
    private Answer question(PageCall page, FormErrors errors) {
        String name = page.parameter("task");
        var kind = page.api().list(TaskKindRecord.class, KINDS).data().stream()
                .filter(one -> one.task().equals(name))
                .findFirst()
                .orElseThrow(() -> new Problem.NotFound("the task " + Quoted.of(name)).raise());
        return page.view(kind.task(), "admin/start")
                .with("kind", kind)
                .with("errors", errors)
                .in("admin")
                .refused(errors)
                .forMachines("POST /v1/admin/tasks", "sheaf admin " + command(kind.task()) + " --dry-run")
                .show();
    }

    private static String command(String task) {
        return task.replace("audit-", "audit ");
    }

    private Answer start(PageCall page, boolean dryRun) {
        var form = page.form();
        var request = new HashMap<String, Object>();
        request.put("task", page.parameter("task"));
        request.put("dryRun", dryRun);
        form.first("confirm").ifPresent(typed -> request.put("confirm", typed));
        try {
            var started = page.api().post(TaskRecord.class, ApiPath.of("/v1/admin/tasks"), request);
            return page.seeOther(
                    ApiPath.of("/admin/tasks/{}", started.id()).toString(), Notice.ok(started.task() + " has begun."));
        } catch (ProblemException e) {
            return question(
                    page,
                    e.problem() instanceof Problem.ValidationFailed
                            ? FormErrors.of("confirm", "This is not the name of the task. Type it to confirm.")
                                    .because(e.problem())
                            : PageCall.errors(e.problem(), "confirm"));
        }
    }

    private Answer task(PageCall page) {
        var task = page.api().get(TaskRecord.class, ApiPath.of("/v1/admin/tasks/{}", page.parameter("task_id")));
        return page.naming(page.names(Stream.of(task.startedBy())))
                .view(task.task(), "admin/task")
                .with("task", task)
                .in("admin")
                .forMachines("GET /v1/admin/tasks/" + task.id(), "sheaf admin tasks")
                .show();
    }

    private Answer cancel(PageCall page) {
        page.form();
        String id = page.parameter("task_id");
        page.api().post(TaskRecord.class, ApiPath.of("/v1/admin/tasks/{}:cancel", id), Map.of());
        return page.seeOther(ApiPath.of("/admin/tasks/{}", id).toString(), Notice.ok("The task was asked to stop."));
    }

    private Answer settings(PageCall page) {
        page.api().permit(Method.GET, ApiPath.of("/v1/admin/stats"));
        return page.view("Settings", "admin/settings")
                .with("settings", settings)
                .in("admin")
                .show();
    }
}
