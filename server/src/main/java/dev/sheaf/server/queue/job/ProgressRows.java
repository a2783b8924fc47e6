package dev.sheaf.server.queue.job;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.JobEvent;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Progress reports of workers, and notes of what else happened to a job.
public final class ProgressRows {
    private static final int KEPT = 100;

    /// A report or a note.
    ///
    /// @param note the type of an event; null for a report
    record ProgressRow(
            UUID jobId,
            long number,
            Instant at,
            int attempt,
            @Nullable Integer percent,
            @Nullable String message,
            @Nullable String note) {
        JobEvent toEvent() {
            if (note == null) {
                return new JobEvent(at, "progress", attempt, percent, message);
            }
            return new JobEvent(at, note, note.equals("dead") ? attempt : null, null, message);
        }

        Job.Progress toWire() {
            return new Job.Progress(at, percent, message);
        }
    }

    private ProgressRows() {}

    /// Stores a report, and deletes all but the last hundred. The job must be locked.
    public static void add(Tx tx, JobRow job, @Nullable Integer percent, @Nullable String message) {
        long number =
                1 + tx.number("SELECT coalesce(max(number), 0) FROM job_progress WHERE job_id = :job", "job", job.id());
        tx.change(
                """
                INSERT INTO job_progress (job_id, number, at, attempt, percent, message)
                VALUES (:job, :number, :now, :attempt, :percent, :message)
                """,
                "job",
                job.id(),
                "number",
                number,
                "attempt",
                job.attempt(),
                "percent",
                percent,
                "message",
                message);
        tx.change(
                "DELETE FROM job_progress WHERE job_id = :job AND note IS NULL AND number <= :oldest",
                "job",
                job.id(),
                "oldest",
                number - KEPT);
    }

    /// Adds events to the history, and deletes all but the last hundred notes. The job must be locked.
    static void note(Tx tx, JobRow job, List<JobEvent> events) {
        events.forEach(event -> note(tx, job, event));
        tx.later("""
                DELETE FROM job_progress WHERE job_id = :job AND note IS NOT NULL AND number <= (
                    SELECT number FROM job_progress WHERE job_id = :job AND note IS NOT NULL
                    ORDER BY number DESC LIMIT 1 OFFSET :kept)
                """, "job", job.id(), "kept", KEPT);
    }

    private static void note(Tx tx, JobRow job, JobEvent event) {
        tx.later(
                """
                INSERT INTO job_progress (job_id, number, at, attempt, message, note)
                SELECT cast(:job AS TEXT), coalesce(max(number), 0) + 1, cast(:at AS BIGINT), cast(:attempt AS BIGINT),
                       cast(:message AS TEXT), cast(:note AS TEXT)
                FROM job_progress WHERE job_id = :job
                """,
                "job",
                job.id(),
                "at",
                event.at(),
                "attempt",
                job.attempt(),
                "message",
                event.message(),
                "note",
                event.type());
    }

    static List<ProgressRow> list(Tx tx, UUID job) {
        return tx.list("SELECT * FROM job_progress WHERE job_id = :job ORDER BY number", ProgressRow.class, "job", job);
    }

    /// Returns the last report of each job that has reports.
    static Map<UUID, Job.Progress> last(Tx tx, Collection<UUID> jobs) {
        var found = new HashMap<UUID, Job.Progress>();
        tx.list("""
                        SELECT * FROM job_progress AS its WHERE job_id IN (<jobs>)
                        AND number = (
                            SELECT max(number) FROM job_progress
                            WHERE job_id = its.job_id AND note IS NULL)
                        """, ProgressRow.class, "jobs", jobs).forEach(row -> found.put(row.jobId(), row.toWire()));
        return found;
    }
}
