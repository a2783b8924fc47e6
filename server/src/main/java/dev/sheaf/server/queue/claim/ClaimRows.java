package dev.sheaf.server.queue.claim;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.job.JobRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Finds jobs that may be handed out, and claimed jobs that must return to their queue. Each query uses an
/// index, regardless of the number of jobs.
final class ClaimRows {
    private ClaimRows() {}

    private static final String SELECT = """
            SELECT queue.*, (SELECT id FROM instruction WHERE queue_id = queue.id AND active = 1) AS instruction
            FROM queue WHERE organization_id = :organization AND\s""";

    /// A queue to claim from.
    ///
    /// @param instruction the active instruction; null if there is none
    record Source(QueueRow queue, @Nullable UUID instruction) {}

    static Optional<Source> source(Tx tx, UUID organization, UUID queue) {
        return tx.find(SELECT + "id = :queue", Source.class, "organization", organization, "queue", queue);
    }

    /// Returns the active queues of an organization in which a job waits. The query selects the first job of
    /// each queue. With EXISTS, PostgreSQL would use a join and read all jobs.
    ///
    /// @param habitat null for any
    static List<Source> ready(Tx tx, UUID organization, @Nullable UUID habitat) {
        return tx.list(SELECT + """
                status = 'active' AND (cast(:habitat AS TEXT) IS NULL OR habitat_id = :habitat)
                AND (SELECT 1 FROM job WHERE queue_id = queue.id AND status = 'queued' AND blocked = 0
                     ORDER BY place, id LIMIT 1) IS NOT NULL
                """, Source.class, "organization", organization, "habitat", habitat);
    }

    /// Returns the first job of a queue that is not hidden from a principal, and that no concurrent claim
    /// takes. A principal that has released too many jobs of the queue gets no job.
    static Optional<JobRow> next(Tx tx, UUID queue, String principal) {
        return tx.first(
                """
                SELECT * FROM job WHERE queue_id = :queue AND status = 'queued' AND blocked = 0
                AND NOT EXISTS (
                    SELECT 1 FROM job_hidden WHERE job_id = job.id AND principal = :principal AND until > :now)
                AND (SELECT count(*) FROM (
                    SELECT 1 FROM job_hidden WHERE principal = :principal AND queue_id = :queue AND until > :now
                    LIMIT :most) AS hidden) < :most
                ORDER BY place, id LIMIT 1
                """ + tx.dialect().skipLocked(),
                JobRow.class,
                "queue",
                queue,
                "principal",
                principal,
                "most",
                HiddenRows.MOST);
    }

    /// Returns whether a job of a queue waits.
    static boolean isReady(Tx tx, UUID queue) {
        return tx.has(
                "SELECT 1 FROM job WHERE queue_id = :queue AND status = 'queued' AND blocked = 0 ORDER BY place, id LIMIT 1",
                "queue",
                queue);
    }

    /// Returns how many jobs of a queue are claimed.
    static long held(Tx tx, UUID queue) {
        return tx.number(
                "SELECT count(*) FROM job WHERE queue_id = :queue AND status IN ('claimed', 'running')",
                "queue",
                queue);
    }

    /// Returns whether a job with that concurrency key is claimed.
    static boolean isHeld(Tx tx, UUID queue, String key) {
        return tx.has("""
                        SELECT 1 FROM job WHERE queue_id = :queue AND concurrency_key = :key
                        AND status IN ('claimed', 'running')
                        """, "queue", queue, "key", key);
    }

    /// Blocks a job until the claim of the job with the same concurrency key ends.
    static void block(Tx tx, UUID job) {
        tx.later("UPDATE job SET blocked = 1 WHERE id = :job", "job", job);
    }

    // --- due jobs ---

    /// Returns scheduled jobs that are due.
    static List<JobRow> due(Tx tx, int limit) {
        return tx.list(
                "SELECT * FROM job WHERE status = 'scheduled' AND due_at <= :now ORDER BY due_at, id LIMIT :limit"
                        + tx.dialect().skipLocked(),
                JobRow.class,
                "limit",
                limit);
    }

    /// Returns claimed jobs whose deadline has passed.
    static List<JobRow> overdue(Tx tx, int limit) {
        return tx.list("""
                SELECT * FROM job WHERE status IN ('claimed', 'running') AND deadline_at <= :now
                ORDER BY deadline_at, id LIMIT :limit
                """ + tx.dialect().skipLocked(), JobRow.class, "limit", limit);
    }

    /// Returns the next due time or deadline of any job; empty if there is none.
    static Optional<Instant> nextDue(Tx tx) {
        return tx.find("""
                SELECT min(at) FROM (
                    SELECT min(due_at) AS at FROM job WHERE status = 'scheduled'
                    UNION ALL
                    SELECT min(deadline_at) FROM job WHERE status IN ('claimed', 'running')) AS times
                """, Instant.class);
    }

    /// Returns whether any job waits.
    static boolean anyQueued(Tx tx) {
        return tx.has("SELECT 1 FROM job WHERE status = 'queued' AND blocked = 0 ORDER BY queue_id, place, id LIMIT 1");
    }
}
