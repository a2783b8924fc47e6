package dev.sheaf.server.maintenance;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.input.Fields;
import dev.sheaf.server.work.Task;
import dev.sheaf.server.work.TaskCancelledException;
import dev.sheaf.server.work.TaskRun;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs tasks that administrators start, one run of a task at a time in the whole installation, on the node that
/// was asked. Any node tells how far a run is and can stop it. Thread-safe.
public final class Tasks {
    private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);

    private static final int MAX_NAME = 100;

    private final Database database;
    private final Map<String, Task> tasks;
    private final Map<UUID, TaskRun> running = new ConcurrentHashMap<>();

    /// @param tasks by the name under which they are started
    public Tasks(Database database, Map<String, Task> tasks) {
        this.database = database;
        this.tasks = new TreeMap<>(tasks);
    }

    /// What can be started, sorted.
    public List<String> names() {
        return List.copyOf(tasks.keySet());
    }

    /// The task of that name.
    public Optional<Task> find(String name) {
        return Optional.ofNullable(tasks.get(name));
    }

    /// A task to be started.
    public record Start(String task, boolean dryRun) {}

    public Start read(Fields fields) {
        String name = fields.required("task", MAX_NAME);
        if (!name.isEmpty() && !tasks.containsKey(name)) {
            fields.error("task", "unknown", "must be one of " + String.join(", ", tasks.keySet()));
        }
        return new Start(name, Boolean.TRUE.equals(fields.flag("dryRun")));
    }

    /// Starts a task and returns at once.
    ///
    /// @throws ProblemException conflict while it runs already
    public TaskRecord start(Origin origin, Start start) {
        String name = start.task();
        boolean dryRun = start.dryRun();
        Task task = find(name).orElseThrow();
        UUID id = database.write(tx -> {
                    var begun = TaskRunRows.begin(tx, name, dryRun, origin.actor());
                    if (begun.isPresent()) {
                        TaskRunRows.prune(tx);
                        AuditRows.record(tx, origin, "task.start", name + (dryRun ? " (dry run)" : ""));
                    }
                    return begun;
                })
                .orElseThrow(() -> new Problem.Conflict("the task " + name
                                + " is running already; wait for it, or cancel it (GET /v1/admin/tasks lists the runs)")
                        .raise());
        var run = new TaskRun(dryRun);
        running.put(id, run);
        Thread.ofVirtual().name("task-" + name).start(() -> run(id, name, task, run));
        return get(id);
    }

    private void run(UUID id, String name, Task task, TaskRun run) {
        var state = RunState.FAILED;
        @Nullable String error = null;
        try {
            task.run(run);
            state = RunState.SUCCEEDED;
        } catch (TaskCancelledException e) {
            state = RunState.CANCELLED;
        } catch (ProblemException e) {
            error = e.problem().detail();
            LOG.warn("the task {} ended early: {}", name, error);
        } catch (RuntimeException e) {
            error = "an internal error; the server's log tells more";
            LOG.error("the task {} failed", name, e);
        } finally {
            running.remove(id);
            end(id, state, run.report(), error);
        }
    }

    private void end(UUID id, RunState state, TaskRun.Report report, @Nullable String error) {
        try {
            database.write(tx -> {
                TaskRunRows.end(tx, id, state, report, error);
                return id;
            });
        } catch (RuntimeException e) {
            LOG.warn("how a task ended was not written; it will count as lost within a minute", e);
        }
    }

    /// Writes how far this node's runs are, and stops those that somebody asked to stop. To be called every few
    /// seconds.
    public void heartbeat() {
        running.forEach((id, run) -> {
            var report = run.report();
            if (database.write(tx -> TaskRunRows.update(tx, id, report))) {
                run.cancel();
            }
        });
    }

    /// Asks this node's runs to end.
    public void stop() {
        running.values().forEach(TaskRun::cancel);
    }

    /// A run by its id, as it was a few seconds ago.
    ///
    /// @throws ProblemException not-found
    public TaskRecord get(UUID id) {
        return database.read(tx -> TaskRunRows.find(tx, id))
                .orElseThrow(() -> new Problem.NotFound("the run " + id + " of a task").raise());
    }

    /// Runs, the newest first; the two hundred latest are kept.
    ///
    /// @param before the id after which the page begins, or null
    public List<TaskRecord> list(@Nullable String before, int limit) {
        return database.read(tx -> TaskRunRows.list(tx, before, limit));
    }

    /// Asks a run to end; it does within seconds, with nothing half done. Does nothing where it is over.
    ///
    /// @throws ProblemException not-found
    public TaskRecord cancel(Origin origin, UUID id) {
        var known = get(id);
        database.write(tx -> {
            TaskRunRows.askToCancel(tx, id);
            AuditRows.record(tx, origin, "task.cancel", known.task());
            return id;
        });
        var here = running.get(id);
        if (here != null) {
            here.cancel();
        }
        return get(id);
    }
}
