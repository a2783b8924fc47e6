package dev.sheaf.server.queue.job;

import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// How far workers said that they are.
public final class ProgressRows {
    private static final int KEPT = 100;

    /// One of them.
    record ProgressRow(
            UUID jobId,
            long number,
            Instant at,
            int attempt,
            @Nullable Integer percent,
            @Nullable String message) {
        Job.Progress toWire() {
            return new Job.Progress(at, percent, message);
        }
    }

    private ProgressRows() {}

    /// Keeps it, and forgets the oldest beyond a hundred. The job is locked.
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

    static List<ProgressRow> list(Tx tx, UUID job) {
        return tx.list("SELECT * FROM job_progress WHERE job_id = :job ORDER BY number", ProgressRow.class, "job", job);
    }

    /// The last one of each job that has any.
    static Map<UUID, Job.Progress> last(Tx tx, Collection<UUID> jobs) {
        var found = new HashMap<UUID, Job.Progress>();
        tx.list("""
                        SELECT * FROM job_progress AS its WHERE job_id IN (<jobs>)
                        AND number = (SELECT max(number) FROM job_progress WHERE job_id = its.job_id)
                        """, ProgressRow.class, "jobs", jobs).forEach(row -> found.put(row.jobId(), row.toWire()));
        return found;
    }
}
