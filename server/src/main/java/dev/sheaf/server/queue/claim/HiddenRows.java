package dev.sheaf.server.queue.claim;

import dev.sheaf.server.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/// Jobs that a principal released, and is not given for a while.
final class HiddenRows {
    private static final Duration FIRST = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofMinutes(15);

    /// Of one queue: a principal that released so many is given none of it, or each claim would pass over all of
    /// them.
    static final int MOST = 100;

    private HiddenRows() {}

    /// Hides a job: for 30 s, and for twice as long each time it is released again, up to 15 minutes.
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

    /// Whether any job of a queue is hidden from a principal.
    static boolean hasAny(Tx tx, UUID queue, String principal) {
        return tx.has(
                "SELECT 1 FROM job_hidden WHERE principal = :principal AND queue_id = :queue AND until > :now LIMIT 1",
                "principal",
                principal,
                "queue",
                queue);
    }

    /// When the next job that is hidden from a principal is not any more; empty where none is.
    static Optional<Instant> next(Tx tx, String principal) {
        return tx.find(
                "SELECT min(until) FROM job_hidden WHERE principal = :principal AND until > :now",
                Instant.class,
                "principal",
                principal);
    }
}
