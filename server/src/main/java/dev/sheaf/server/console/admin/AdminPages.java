package dev.sheaf.server.console.admin;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.admin.NodeHealth;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The installation: its health, contents, maintenance and settings.
public final class AdminPages {
    /// The tasks that can be started, with their purpose.
    private static final Map<String, String> TASKS = new TreeMap<>(Map.of(
            "gc", "Removes content that nothing refers to any more.",
            "sweep", "Finds stored content that the database does not know, and sets it aside.",
            "scrub", "Reads all content again and compares it with its digests.",
            "fsck", "Checks that the database and the content agree.",
            "backup", "Writes a backup into the folder from the settings.",
            "audit-verify", "Checks the chain of the audit log."));

    private final List<SettingRow> settings;
    private final List<String> known;

    /// A setting as a page shows it.
    ///
    /// @param source the source of its value
    public record SettingRow(String name, String value, String source, String meaning) {}

    /// @param settings the settings without secrets
    /// @param known the tasks of this installation
    public AdminPages(List<SettingRow> settings, List<String> known) {
        this.settings = List.copyOf(settings);
        this.known = known.stream().sorted().toList();
    }

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own("/admin", this::overview),
                pages.own("/admin/tasks", page -> tasks(page, FormErrors.NONE)),
                pages.form("/admin/tasks", this::start),
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

    private Answer tasks(PageCall page, FormErrors errors) {
        var path = ApiPath.of("/v1/admin/tasks").with("limit", 50).with("cursor", page.query("cursor"));
        var found = page.api().list(TaskRecord.class, path);
        String next = found.meta().nextCursor();
        return page.view("Tasks", "admin/tasks")
                .with("tasks", found.data())
                .with("known", known)
                .with("meanings", TASKS)
                .with("errors", errors)
                .with(
                        "next",
                        next == null
                                ? ""
                                : ApiPath.of("/admin/tasks")
                                        .with("cursor", next)
                                        .toString())
                .in("admin")
                .refused(errors)
                .forMachines("GET /v1/admin/tasks", "sheaf admin tasks")
                .show();
    }

    private Answer start(PageCall page) {
        var form = page.form();
        var request = Map.of(
                "task",
                form.first("task").orElse(""),
                "dryRun",
                form.first("dryRun").isPresent());
        try {
            var started = page.api().post(TaskRecord.class, ApiPath.of("/v1/admin/tasks"), request);
            return page.seeOther(
                    ApiPath.of("/admin/tasks/{}", started.id()).toString(), Notice.ok(started.task() + " has begun."));
        } catch (ProblemException e) {
            return tasks(page, PageCall.errors(e.problem(), "task"));
        }
    }

    private Answer task(PageCall page) {
        var task = page.api().get(TaskRecord.class, ApiPath.of("/v1/admin/tasks/{}", page.parameter("task_id")));
        return page.view(task.task(), "admin/task")
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
