package dev.sheaf.server.maintenance.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.maintenance.AdminTask;
import dev.sheaf.server.maintenance.ReadOnlyMode;
import dev.sheaf.server.maintenance.Tasks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/// The tasks and settings of the installation.
public final class AdminPages {
    private static final int SHOWN = 50;
    private static final Function<String, UUID> ID = PathId.of("the run %s of a task");

    private final Tasks tasks;
    private final ReadOnlyMode mode;
    private final List<SettingRow> settings;

    /// A setting as a page shows it.
    ///
    /// @param group the subject of the setting
    /// @param fallback its default
    /// @param source the source of its value
    public record SettingRow(String group, String name, String value, String fallback, String source, String meaning) {
        /// Returns whether it has another value than its default.
        public boolean isChanged() {
            return !value.equals(fallback);
        }

        private boolean matches(String text) {
            return Stream.of(name, value, meaning, source)
                    .anyMatch(words -> words.toLowerCase(Locale.ROOT).contains(text));
        }
    }

    /// Some settings under one heading.
    public record SettingGroupRows(String title, List<SettingRow> settings) {
        public SettingGroupRows {
            settings = List.copyOf(settings);
        }
    }

    /// @param settings the settings without secrets
    public AdminPages(Tasks tasks, ReadOnlyMode mode, List<SettingRow> settings) {
        this.tasks = tasks;
        this.mode = mode;
        this.settings = List.copyOf(settings);
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.asking("/admin/tasks", RoutePermission.ADMIN, this::tasks),
                pages.asking(
                        "/admin/tasks/start/{task}", RoutePermission.ADMIN, page -> question(page, FormErrors.NONE)),
                pages.always("/admin/tasks/start/{task}", RoutePermission.ADMIN, page -> start(page, false)),
                pages.always("/admin/tasks/start/{task}/dry-run", RoutePermission.ADMIN, page -> start(page, true)),
                pages.asking("/admin/tasks/{task_id}", RoutePermission.ADMIN, this::task),
                pages.always("/admin/tasks/{task_id}/cancel", RoutePermission.ADMIN, this::cancel),
                pages.asking("/admin/settings", RoutePermission.ADMIN, this::settings));
    }

    private Answer tasks(PageCall page) {
        var found = page.paging(SHOWN).list(tasks::list, TaskRecord::id);
        String next = found.meta().nextCursor();
        return page.naming(page.names(found.data().stream().map(TaskRecord::startedBy)))
                .view("Tasks", "maintenance/pages/tasks")
                .with("tasks", found.data())
                .with("groups", TaskLook.groups(tasks.ends()))
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
        var kind = tasks.find(name)
                .map(AdminTask::describe)
                .orElseThrow(() -> new Problem.NotFound("the task " + Quoted.of(name)).raise());
        var tried = tasks.list(null, SHOWN).stream()
                .filter(run -> run.task().equals(name) && run.dryRun())
                .limit(1)
                .toList();
        return page.naming(page.names(tried.stream().map(TaskRecord::startedBy)))
                .view(kind.task(), "maintenance/pages/start")
                .with("kind", kind)
                .with("tried", tried)
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
            var wanted = RequestFields.form(request).to(tasks::read);
            mode.check(wanted);
            var started = tasks.start(page.origin(), wanted);
            return page.seeOther(
                    ApiPath.of("/admin/tasks/{}", started.id()).toString(),
                    PageNotice.ok(started.task() + " has begun."));
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
        var task = tasks.get(page.parameter("task_id", ID));
        return page.naming(page.names(Stream.of(task.startedBy())))
                .view(task.task(), "maintenance/pages/task")
                .with("task", task)
                .in("admin")
                .forMachines("GET /v1/admin/tasks/" + task.id(), "sheaf admin tasks")
                .show();
    }

    private Answer cancel(PageCall page) {
        var id = page.parameter("task_id", ID);
        tasks.cancel(page.origin(), id);
        return page.seeOther(
                ApiPath.of("/admin/tasks/{}", id).toString(), PageNotice.ok("The task was asked to stop."));
    }

    private Answer settings(PageCall page) {
        String asked = PageFormat.text(page.query("q")).strip();
        String text = asked.toLowerCase(Locale.ROOT);
        return page.view("Settings", "maintenance/pages/settings")
                .with("asked", asked)
                .with(
                        "found",
                        text.isEmpty()
                                ? List.of()
                                : settings.stream()
                                        .filter(row -> row.matches(text))
                                        .toList())
                .with("changed", settings.stream().filter(SettingRow::isChanged).toList())
                .with("groups", groups())
                .in("admin")
                .show();
    }

    private List<SettingGroupRows> groups() {
        var groups = new LinkedHashMap<String, List<SettingRow>>();
        settings.forEach(row ->
                groups.computeIfAbsent(row.group(), title -> new ArrayList<>()).add(row));
        return groups.entrySet().stream()
                .map(group -> new SettingGroupRows(group.getKey(), group.getValue()))
                .toList();
    }
}
