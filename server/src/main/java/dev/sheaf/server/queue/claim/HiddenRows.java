package dev.sheaf.server.queue.claim;

import dev.sheaf.engine.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/// Jobs that a principal has released, and does not get again for a while.
final class HiddenRows {
    private static final Duration FIRST = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofMinutes(15);

    /// The limit of hidden jobs for each principal and queue. At the limit, the principal gets no jobs of this
    /// queue, because each claim would have to skip all hidden jobs.
    static final int MOST = 100;

    private HiddenRows() {}

    /// Hides a job for 30 seconds, and for twice as long after each further release, up to 15 minutes.
    static void hide(Tx tx, UUID queue, UUID job, String principal) {
        long times = tx.find(
                        "SELECT times FROM job_hidden WHERE job_id = :job AND principal = :principal",
                        Long.class,
                        "job",
                        job,
                        "principal",
                        principal)
                .orElse(0L);
        var pause = FIRST.multipliedBy(1L << Math.min(times, 5));
        tx.change(
                """
                INSERT INTO job_hidden (job_id, queue_id, principal, until, times)
                VALUES (:job, :queue, :principal, :until, 1)
                ON CONFLICT (job_id, principal) DO UPDATE SET until = excluded.until, times = job_hidden.times + 1
                """,
                "job",
                job,
                "queue",
                queue,
                "principal",
                principal,
                "until",
                tx.now().plus(pause.compareTo(LONGEST) < 0 ? pause : LONGEST));
    }

    /// Returns whether any job of a queue is hidden from a principal.
    static boolean hasAny(Tx tx, UUID queue, String principal) {
        return tx.has(
                "SELECT 1 FROM job_hidden WHERE principal = :principal AND queue_id = :queue AND until > :now LIMIT 1",
                "principal",
                principal,
                "queue",
                queue);
    }

    /// Returns when the first hidden job among the waiting jobs of a queue is visible again; empty if there is
    /// none.
    static Optional<Instant> heldBack(Tx tx, UUID queue, String principal) {
        return tx.find("""
                        SELECT min(until) FROM job_hidden JOIN job ON job.id = job_hidden.job_id
                        WHERE principal = :principal AND job_hidden.queue_id = :queue AND until > :now
                        AND job.status = 'queued'
                        """, Instant.class, "principal", principal, "queue", queue);
    }

    /// Returns when the next hidden job of a principal is visible again; empty if there is none.
    static Optional<Instant> next(Tx tx, String principal) {
        return tx.find(
                "SELECT min(until) FROM job_hidden WHERE principal = :principal AND until > :now",
                Instant.class,
                "principal",
                principal);
    }
}
