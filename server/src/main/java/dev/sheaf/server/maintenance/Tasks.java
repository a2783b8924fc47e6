package dev.sheaf.server.maintenance;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.work.TaskCancelledException;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.engine.work.WorkClaim;
import dev.sheaf.engine.work.Worker;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.admin.OperationsReport;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.model.wire.admin.TaskKindRecord;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.SessionRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs tasks that administrators start, on the node that got the request. At any time, each task has at most
/// one run in the whole installation. Any node can report the progress of a run and stop it. Thread-safe.
public final class Tasks {
    private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);

    private static final int MAX_NAME = 100;

    private static final Duration RETRY = Duration.ofHours(1);
    private static final int AT_ONCE = 16;
    private static final String INSTALLATION = "";

    private static final ChangeOrigin SCHEDULE = new ChangeOrigin(
            new Caller.Known(
                    new Credential.Operator("the schedule"),
                    SessionRecord.NO_ORGANIZATION,
                    Scope.ADMIN,
                    CredentialRestrictions.NONE,
                    Grant.ALL,
                    null),
            "local",
            "schedule");

    private final Database database;
    private final Map<String, AdminTask> tasks = new TreeMap<>(); // by name
    private final Worker worker;
    private final Map<String, Begun> running = new ConcurrentHashMap<>(); // by task

    /// A run on this node.
    private record Begun(UUID id, TaskRun run) {}

    public Tasks(Database database, List<AdminTask> tasks) {
        this.database = database;
        tasks.forEach(task -> this.tasks.put(task.kind().toString(), task));
        this.worker = new Worker(database, "task", AT_ONCE, this::run);
    }

    /// Starts to take over the runs of nodes that died.
    public void begin() {
        worker.begin();
    }

    /// Returns the names of all tasks, sorted.
    public List<String> names() {
        return List.copyOf(tasks.keySet());
    }

    /// Returns the task with this name.
    public Optional<AdminTask> find(String name) {
        return Optional.ofNullable(tasks.get(name));
    }

    /// Describes all tasks, sorted by name, with what each would do now.
    public List<TaskKindRecord> kinds() {
        return tasks.values().stream().map(AdminTask::describe).toList();
    }

    /// A request to start a task. One that ends access was confirmed.
    public record Start(String task, boolean dryRun) {}

    public Start read(RequestFields fields) {
        String name = fields.required("task", MAX_NAME);
        if (!name.isEmpty() && !tasks.containsKey(name)) {
            fields.error("task", "unknown", "must be one of " + String.join(", ", tasks.keySet()));
        }
        boolean dryRun = Boolean.TRUE.equals(fields.flag("dryRun"));
        String confirm = fields.optional("confirm", MAX_NAME);
        var task = tasks.get(name);
        if (task != null && task.kind().endsAccess() && !dryRun && !name.equals(confirm)) {
            fields.error(
                    "confirm",
                    confirm == null ? "required" : "mismatch",
                    "must be " + name + ", because this task " + task.kind().ending() + ": "
                            + String.join(" ", task.effects().count())
                            + " With \"dryRun\": true it only reports what it would do");
        }
        return new Start(name, dryRun);
    }

    /// Starts a task and returns immediately.
    ///
    /// @throws ProblemException conflict if it is running already
    public TaskRecord start(ChangeOrigin origin, Start start) {
        String name = start.task();
        boolean dryRun = start.dryRun();
        record Taken(WorkClaim claim, UUID id) {}
        var taken = database.write(tx -> {
            var claim = worker.claim(tx, name, INSTALLATION).orElseThrow(() -> isRunning(name));
            TaskRunRows.lose(tx, name); // a run of a node that died
            UUID id = TaskRunRows.begin(tx, name, dryRun, origin.actor()).orElseThrow(() -> isRunning(name));
            TaskRunRows.prune(tx);
            AuditRows.record(tx, origin, "task.start", name + (dryRun ? " (dry run)" : ""));
            return new Taken(claim, id);
        });
        running.put(name, new Begun(taken.id(), new TaskRun(dryRun, taken.claim()::isOver)));
        worker.start(taken.claim());
        return get(taken.id());
    }

    /// Starts a task that did not succeed for that long, on one of the nodes that ask. After a failure it waits an
    /// hour,
    /// or as long as that if it is less.
    public void startDue(TaskKind kind, Duration every) {
        String name = kind.toString();
        boolean isDue = database.read(tx -> {
            var succeeded = TaskRunRows.ends(tx, RunState.SUCCEEDED).get(name);
            var begun = TaskRunRows.begun(tx, name).orElse(Instant.EPOCH);
            var retry = every.compareTo(RETRY) < 0 ? every : RETRY;
            return (succeeded == null || !succeeded.plus(every).isAfter(tx.now()))
                    && !begun.plus(retry).isAfter(tx.now());
        });
        if (!isDue) {
            return;
        }
        try {
            start(SCHEDULE, new Start(name, false));
        } catch (ProblemException e) { // another node was faster
            LOG.debug("the task {} is not started: {}", name, e.problem().detail());
        }
    }

    private static ProblemException isRunning(String name) {
        return new Problem.Conflict("the task " + name
                        + " is running already; wait for it, or cancel it (GET /v1/admin/tasks lists the runs)")
                .raise();
    }

    private @Nullable Instant run(WorkClaim claim) {
        var begun = running.get(claim.name());
        if (begun == null) { // it was begun by a node that died
            database.write(tx -> TaskRunRows.lose(tx, claim.name()));
        } else {
            run(claim, begun.id(), begun.run());
        }
        return null;
    }

    private void run(WorkClaim claim, UUID id, TaskRun run) {
        String name = claim.name();
        var task = find(name).orElseThrow().task();
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
            error = "an internal error; the server's log has the details";
            LOG.error("the task {} failed", name, e);
        } finally {
            running.remove(name);
            end(claim, id, new TaskRunRows.End(state, run.report(), error));
        }
    }

    private void end(WorkClaim claim, UUID id, TaskRunRows.End end) {
        try {
            database.write(tx -> {
                TaskRunRows.end(tx, id, end);
                claim.done(tx);
                return id;
            });
        } catch (RuntimeException e) {
            LOG.warn("the result of a task could not be stored, so its run will count as lost: {}", e.toString());
            LOG.debug("where it could not be stored", e);
        }
    }

    /// Stores the progress of this node's runs, and stops the runs that were cancelled. Call it every few
    /// seconds.
    public void heartbeat() {
        running.values().forEach(begun -> {
            var report = begun.run().report();
            if (database.write(tx -> TaskRunRows.update(tx, begun.id(), report))) {
                begun.run().cancel();
            }
        });
    }

    /// Asks this node's runs to end at their next step.
    public void stop() {
        worker.stop();
    }

    /// Waits until this node's runs have ended.
    ///
    /// @return false if some have not ended in time
    public boolean awaitEnd(Duration longest) {
        return worker.awaitEnd(longest);
    }

    /// Returns a run by its id. Its state may be a few seconds old.
    ///
    /// @throws ProblemException not-found
    public TaskRecord get(UUID id) {
        return database.read(tx -> TaskRunRows.find(tx, id, worker.held(tx)))
                .orElseThrow(() -> new Problem.NotFound("the run " + id + " of a task").raise());
    }

    /// Returns the time of the last success of each task, by the task's name, in seconds since 1970. Empty
    /// while the database cannot be reached.
    public Map<String, Double> successes() {
        return ends(RunState.SUCCEEDED);
    }

    /// Returns the time of the last failure of each task, as [#successes] does.
    public Map<String, Double> failures() {
        return ends(RunState.FAILED);
    }

    /// Returns how many faults the last success of each check found, and how many objects the last backup lacks, by the
    /// task's name. Empty while the database cannot be reached.
    public Map<String, Double> faults() {
        try {
            var faults = new HashMap<String, Double>();
            database.read(TaskRunRows::lastReports).forEach((task, report) -> {
                if (TaskKind.find(task).filter(TaskKind::isCheck).isPresent()) {
                    faults.put(task, (double) report.findings().size() + report.findingsOmitted());
                } else if (task.equals(TaskKind.BACKUP.toString())) {
                    faults.put(task, (double) report.counts().getOrDefault("objectsDamaged", 0L));
                }
            });
            return faults;
        } catch (RuntimeException e) { // other metrics show that the database fails
            LOG.debug("the reports of tasks could not be read", e);
            return Map.of();
        }
    }

    /// Returns when each task last ended, by name; tasks of which no run is kept are left out. Empty while
    /// the database cannot be reached.
    public List<OperationsReport.TaskEnd> ends() {
        var succeeded = successes();
        var failed = failures();
        var names = new TreeSet<>(succeeded.keySet());
        names.addAll(failed.keySet());
        return names.stream()
                .map(name -> new OperationsReport.TaskEnd(name, moment(succeeded.get(name)), moment(failed.get(name))))
                .toList();
    }

    private static @Nullable Instant moment(@Nullable Double seconds) {
        return seconds == null ? null : Instant.ofEpochSecond(seconds.longValue());
    }

    private Map<String, Double> ends(RunState state) {
        try {
            var ends = new HashMap<String, Double>();
            database.read(tx -> TaskRunRows.ends(tx, state))
                    .forEach((task, end) -> ends.put(task, (double) end.getEpochSecond()));
            return ends;
        } catch (RuntimeException e) { // other metrics show that the database fails
            LOG.debug("the ends of tasks could not be read", e);
            return Map.of();
        }
    }

    /// Lists runs, the newest first; the latest two hundred are kept.
    ///
    /// @param before null, or the id after which the page begins
    public List<TaskRecord> list(@Nullable String before, int limit) {
        return database.read(tx -> TaskRunRows.list(tx, before, limit, worker.held(tx)));
    }

    /// Asks a run to end. It ends within seconds and leaves nothing half done. Does nothing if it has already
    /// ended.
    ///
    /// @throws ProblemException not-found
    public TaskRecord cancel(ChangeOrigin origin, UUID id) {
        var known = get(id);
        database.write(tx -> {
            TaskRunRows.askToCancel(tx, id);
            AuditRows.record(tx, origin, "task.cancel", known.task());
            return id;
        });
        running.values().stream()
                .filter(begun -> begun.id().equals(id))
                .forEach(begun -> begun.run().cancel());
        return get(id);
    }
}
