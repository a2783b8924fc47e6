package dev.sheaf.server.queue.job;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.JsonText;
import dev.sheaf.server.event.JobEnded;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.queue.JobSignal;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueRows;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Handles the consequences when a job ends, or returns to its queue.
public final class JobEnd {
    private static final int FREED_AT_ONCE = 3;

    private JobEnd() {}

    /// Ends a job in this state.
    ///
    /// @param holder the holder that may still report on the job; null if there is none
    public static JobRow end(
            Tx tx, QueueRow queue, JobRow job, JobState state, @Nullable String reason, @Nullable String holder) {
        return told(tx, queue, JobRows.end(tx, job, state, reason, holder));
    }

    /// Completes a job.
    ///
    /// @param output the result that the worker reported; null if there is none
    public static JobRow completed(Tx tx, QueueRow queue, JobRow job, @Nullable JsonText output) {
        return told(tx, queue, JobRows.complete(tx, job, output));
    }

    private static JobRow told(Tx tx, QueueRow queue, JobRow job) {
        if (queue.tells(job.status())) {
            OutboxRows.emit(
                    tx,
                    job.organizationId(),
                    new JobEnded(
                            job.id(),
                            queue.id(),
                            queue.slug(),
                            job.jobType(),
                            job.attempt(),
                            job.status().toString()));
        }
        unblock(tx, queue, job);
        if (job.concurrencyKey() != null || queue.maxRunning() != null) {
            tx.changed(JobSignal.of(queue).change());
        }
        return job;
    }

    /// Handles a job that has lost its holder and waits again.
    ///
    /// @param waiting the job in its new state
    public static void freed(Tx tx, QueueRow queue, JobRow waiting) {
        unblock(tx, queue, waiting);
        var bell = JobSignal.of(queue);
        tx.changed((waiting.status() == JobState.SCHEDULED ? bell.timed() : bell).change());
    }

    /// Allows claims of other jobs with the same concurrency key.
    private static void unblock(Tx tx, QueueRow queue, JobRow job) {
        String key = job.concurrencyKey();
        if (key != null) {
            QueueRows.lock(tx, queue.id());
            unblock(tx, queue.id(), key);
        }
    }

    /// Unblocks only some jobs, because the first claim blocks the others again.
    private static void unblock(Tx tx, UUID queue, String key) {
        tx.change("""
                UPDATE job SET blocked = 0
                WHERE id IN (
                    SELECT id FROM job WHERE queue_id = :queue AND concurrency_key = :key AND blocked = 1
                    ORDER BY place, id LIMIT :count)
                """, "queue", queue, "key", key, "count", FREED_AT_ONCE);
    }
}
