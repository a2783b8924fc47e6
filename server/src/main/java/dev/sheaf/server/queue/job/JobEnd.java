package dev.sheaf.server.queue.job;

import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.JobEnded;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.input.JsonText;
import dev.sheaf.server.queue.Bell;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueRows;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What follows where a job ends, or goes back to its queue.
public final class JobEnd {
    private static final int FREED_AT_ONCE = 3;

    private JobEnd() {}

    /// It has ended in that state.
    ///
    /// @param holder who may still report on it; null: nobody
    public static JobRow end(
            Tx tx, QueueRow queue, JobRow job, JobState state, @Nullable String reason, @Nullable String holder) {
        return told(tx, queue, JobRows.end(tx, job, state, reason, holder));
    }

    /// It was done.
    ///
    /// @param output what its worker reported
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
            tx.changed(Bell.of(queue).change());
        }
        return job;
    }

    /// Nobody has it any more, and it waits.
    ///
    /// @param waiting as it is now
    public static void freed(Tx tx, QueueRow queue, JobRow waiting) {
        unblock(tx, queue, waiting);
        var bell = Bell.of(queue);
        tx.changed((waiting.status() == JobState.SCHEDULED ? bell.timed() : bell).change());
    }

    /// Others of its concurrency key may be claimed.
    private static void unblock(Tx tx, QueueRow queue, JobRow job) {
        String key = job.concurrencyKey();
        if (key != null) {
            QueueRows.lock(tx, queue.id());
            unblock(tx, queue.id(), key);
        }
    }

    /// Some of them, since the first that is claimed blocks the rest again.
    private static void unblock(Tx tx, UUID queue, String key) {
        tx.change("""
                UPDATE job SET blocked = 0
                WHERE id IN (
                    SELECT id FROM job WHERE queue_id = :queue AND concurrency_key = :key AND blocked = 1
                    ORDER BY place, id LIMIT :count)
                """, "queue", queue, "key", key, "count", FREED_AT_ONCE);
    }
}
