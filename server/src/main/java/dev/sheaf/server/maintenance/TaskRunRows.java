package dev.sheaf.server.maintenance;

import dev.sheaf.model.wire.TaskRecord;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.work.TaskRun;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// Runs of tasks. A run that says `running` and was not updated for a minute has lost its node.
final class TaskRunRows {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration SILENCE = Duration.ofMinutes(1);
    private static final int KEPT = 200;

    private TaskRunRows() {}

    /// The new run's id, or empty while the task runs anywhere.
    static Optional<UUID> begin(Tx tx, String task, boolean dryRun, String actor) {
        tx.handle()
                .createUpdate("""
                        UPDATE task_run SET state = 'failed', ended_at = :now, error = 'its node stopped'
                        WHERE task = :task AND state = 'running' AND updated_at < :silent
                        """)
                .bind("now", tx.now())
                .bind("task", task)
                .bind("silent", tx.now().minus(SILENCE))
                .execute();
        var id = Ids.next(tx.now());
        int begun = tx.handle()
                .createUpdate("""
                        INSERT INTO task_run (id, task, dry_run, state, report, started_at, started_by, updated_at)
                        VALUES (:id, :task, :dry, 'running', :report, :now, :actor, :now)
                        ON CONFLICT DO NOTHING
                        """)
                .bind("id", id)
                .bind("task", task)
                .bind("dry", dryRun ? 1 : 0)
                .bind("report", JSON.writeValueAsString(new TaskRun(dryRun).report()))
                .bind("now", tx.now())
                .bind("actor", actor)
                .execute();
        return begun == 1 ? Optional.of(id) : Optional.empty();
    }

    /// Forgets all but the latest runs.
    static void prune(Tx tx) {
        tx.handle().createUpdate("""
                        DELETE FROM task_run WHERE state <> 'running'
                        AND id NOT IN (SELECT id FROM task_run ORDER BY id DESC LIMIT :kept)
                        """).bind("kept", KEPT).execute();
    }

    /// Writes how far a run is; true where somebody has asked it to stop.
    static boolean update(Tx tx, UUID id, TaskRun.Report report) {
        return tx.handle()
                .createQuery("""
                        UPDATE task_run SET report = :report, updated_at = :now
                        WHERE id = :id AND state = 'running' RETURNING cancel_asked
                        """)
                .bind("report", JSON.writeValueAsString(report))
                .bind("now", tx.now())
                .bind("id", id)
                .mapTo(Boolean.class)
                .findOne()
                .orElse(true);
    }

    static void end(Tx tx, UUID id, String state, TaskRun.Report report, @Nullable String error) {
        tx.handle()
                .createUpdate("""
                        UPDATE task_run
                        SET state = :state, report = :report, error = :error, updated_at = :now, ended_at = :now
                        WHERE id = :id AND state = 'running'
                        """)
                .bind("state", state)
                .bind("report", JSON.writeValueAsString(report))
                .bind("error", error)
                .bind("now", tx.now())
                .bind("id", id)
                .execute();
    }

    static void askToCancel(Tx tx, UUID id) {
        tx.handle()
                .createUpdate("UPDATE task_run SET cancel_asked = 1 WHERE id = :id")
                .bind("id", id)
                .execute();
    }

    static Optional<TaskRecord> find(Tx tx, UUID id) {
        return tx.handle()
                .createQuery("SELECT * FROM task_run WHERE id = :id")
                .bind("id", id)
                .map((row, context) -> read(row, tx.now()))
                .findOne();
    }

    /// The newest first.
    static List<TaskRecord> list(Tx tx, @Nullable String before, int limit) {
        return tx.handle()
                .createQuery("SELECT * FROM task_run WHERE id < :before ORDER BY id DESC LIMIT :limit")
                .bind("before", before == null ? Ids.END : before)
                .bind("limit", limit)
                .map((row, context) -> read(row, tx.now()))
                .list();
    }

    private static TaskRecord read(ResultSet row, Instant now) throws SQLException {
        var report = JSON.readValue(row.getString("report"), TaskRun.Report.class);
        var updated = Instant.ofEpochMilli(row.getLong("updated_at"));
        long ended = row.getLong("ended_at");
        boolean isOver = !row.wasNull();
        boolean isLost = !isOver && updated.isBefore(now.minus(SILENCE));
        return new TaskRecord(
                UUID.fromString(row.getString("id")),
                row.getString("task"),
                row.getInt("dry_run") == 1,
                isLost ? "failed" : row.getString("state"),
                report.unit(),
                report.done(),
                report.total(),
                report.counts(),
                report.findings().stream()
                        .map(found -> new TaskRecord.Finding(found.subject(), found.reason()))
                        .toList(),
                report.findingsOmitted(),
                isLost ? "its node stopped" : row.getString("error"),
                Instant.ofEpochMilli(row.getLong("started_at")),
                row.getString("started_by"),
                updated,
                isOver ? Instant.ofEpochMilli(ended) : null);
    }
}
