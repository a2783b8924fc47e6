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

/// Progress reports of workers.
public final class ProgressRows {
    private static final int KEPT = 100;

    /// One report.
    record ProgressRow(
            UUID jobId,
            long number,
            Instant at,
            int attempt,
            @Nullable Integer percent,
            @Nullable String message) {
        JobEvent toEvent() {
            boolean isRetry = percent == null && message == null;
            return isRetry
                    ? new JobEvent(at, "retried", null, null, null)
                    : new JobEvent(at, "progress", attempt, percent, message);
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
                "DELETE FROM job_progress WHERE job_id = :job AND number <= :oldest",
                "job",
                job.id(),
                "oldest",
                number - KEPT);
    }

    /// Notes in the history that the job was retried: a row with neither percent nor message, which no worker can
    /// report. The job must be locked.
    static void noteRetry(Tx tx, JobRow job) {
        tx.later("""
                INSERT INTO job_progress (job_id, number, at, attempt)
                SELECT cast(:job AS TEXT), coalesce(max(number), 0) + 1, cast(:now AS BIGINT), cast(:attempt AS BIGINT)
                FROM job_progress WHERE job_id = :job
                """, "job", job.id(), "attempt", job.attempt());
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
                            WHERE job_id = its.job_id AND (percent IS NOT NULL OR message IS NOT NULL))
                        """, ProgressRow.class, "jobs", jobs).forEach(row -> found.put(row.jobId(), row.toWire()));
        return found;
    }
}
