package dev.sheaf.server.maintenance;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.wire.admin.TaskRecord;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// Runs of tasks. If a run is still `running` but no live node runs its task, its node has died.
final class TaskRunRows {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String LOST = "its node stopped";
    private static final int KEPT = 200;

    private TaskRunRows() {}

    /// The result of a run.
    record End(
            RunState state, TaskRun.Report report, @Nullable String error) {}

    /// Ends the run of a dead node if there is one.
    static int lose(Tx tx, String task) {
        return tx.change("""
                        UPDATE task_run SET state = 'failed', ended_at = :now, error = :lost
                        WHERE task = :task AND state = 'running'
                        """, "task", task, "lost", LOST);
    }

    /// Returns the id of the new run; empty if the task already runs on any node.
    static Optional<UUID> begin(Tx tx, String task, boolean dryRun, String actor) {
        var id = TimeOrderedIds.next(tx.now());
        int begun = tx.change(
                """
                        INSERT INTO task_run (id, task, dry_run, state, report, started_at, started_by, updated_at)
                        VALUES (:id, :task, :dry, 'running', :report, :now, :actor, :now)
                        ON CONFLICT DO NOTHING
                        """,
                "id",
                id,
                "task",
                task,
                "dry",
                dryRun,
                "report",
                JSON.writeValueAsString(new TaskRun(dryRun).report()),
                "actor",
                actor);
        return begun == 1 ? Optional.of(id) : Optional.empty();
    }

    /// Deletes all but the latest runs.
    static void prune(Tx tx) {
        tx.change("""
                        DELETE FROM task_run WHERE state <> 'running'
                        AND id NOT IN (SELECT id FROM task_run ORDER BY id DESC LIMIT :kept)
                        """, "kept", KEPT);
    }

    /// Stores the progress of a run; returns true if it was asked to stop.
    static boolean update(Tx tx, UUID id, TaskRun.Report report) {
        return tx.find("""
                        UPDATE task_run SET report = :report, updated_at = :now
                        WHERE id = :id AND state = 'running' RETURNING cancel_asked
                        """, Boolean.class, "report", JSON.writeValueAsString(report), "id", id)
                .orElse(true);
    }

    static void end(Tx tx, UUID id, End end) {
        tx.change(
                """
                        UPDATE task_run
                        SET state = :state, report = :report, error = :error, updated_at = :now, ended_at = :now
                        WHERE id = :id AND state = 'running'
                        """,
                "state",
                end.state(),
                "report",
                JSON.writeValueAsString(end.report()),
                "error",
                end.error(),
                "id",
                id);
    }

    static void askToCancel(Tx tx, UUID id) {
        tx.change("UPDATE task_run SET cancel_asked = 1 WHERE id = :id", "id", id);
    }

    /// @param held the tasks that live nodes run
    static Optional<TaskRecord> find(Tx tx, UUID id, Set<String> held) {
        return tx.find("SELECT * FROM task_run WHERE id = :id", Row.class, "id", id)
                .map(row -> row.wire(held));
    }

    /// Lists runs, the newest first.
    ///
    /// @param held the tasks that live nodes run
    static List<TaskRecord> list(Tx tx, @Nullable String before, int limit, Set<String> held) {
        return tx
                .list(
                        "SELECT * FROM task_run WHERE id < :before ORDER BY id DESC LIMIT :limit",
                        Row.class,
                        "before",
                        before == null ? TimeOrderedIds.END : before,
                        "limit",
                        limit)
                .stream()
                .map(row -> row.wire(held))
                .toList();
    }

    /// Returns the time of the last success of each task.
    static Map<String, Instant> ends(Tx tx, RunState state) {
        return tx.map("""
                SELECT task, MAX(ended_at) FROM task_run WHERE state = :state AND dry_run = :no GROUP BY task
                """, String.class, Instant.class, "state", state, "no", false);
    }

    /// Returns when the task last began; empty if no run is kept.
    static Optional<Instant> begun(Tx tx, String task) {
        return Optional.ofNullable(tx.map("""
                SELECT task, MAX(started_at) FROM task_run WHERE task = :task AND dry_run = :no GROUP BY task
                """, String.class, Instant.class, "task", task, "no", false)
                .get(task));
    }

    /// Returns the report of the last success of each task.
    static Map<String, TaskRun.Report> lastReports(Tx tx) {
        var reports = new HashMap<String, TaskRun.Report>();
        tx.map("""
                        SELECT task, report FROM task_run WHERE id IN (
                            SELECT MAX(id) FROM task_run WHERE state = 'succeeded' AND dry_run = :no GROUP BY task)
                        """, String.class, String.class, "no", false)
                .forEach((task, report) -> reports.put(task, JSON.readValue(report, TaskRun.Report.class)));
        return reports;
    }

    private record Row(
            UUID id,
            String task,
            boolean dryRun,
            RunState state,
            String report,
            @Nullable String error,
            Instant startedAt,
            String startedBy,
            Instant updatedAt,
            @Nullable Instant endedAt) {
        TaskRecord wire(Set<String> held) {
            var said = JSON.readValue(report, TaskRun.Report.class);
            boolean isLost = endedAt == null && !held.contains(task);
            return new TaskRecord(
                    id,
                    task,
                    dryRun,
                    (isLost ? RunState.FAILED : state).name().toLowerCase(Locale.ROOT),
                    said.unit(),
                    said.done(),
                    said.total(),
                    said.counts(),
                    said.findings().stream()
                            .map(found -> new TaskRecord.Finding(found.subject(), found.reason()))
                            .toList(),
                    said.findingsOmitted(),
                    isLost ? LOST : error,
                    startedAt,
                    startedBy,
                    updatedAt,
                    endedAt);
        }
    }
}
