package dev.sheaf.server.queue.job;

import dev.sheaf.model.Digest;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.db.mapping.Prefixed;
import dev.sheaf.server.input.JsonText;
import dev.sheaf.server.queue.JobCounts;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueRows;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Jobs. Whatever changes the state of one says so to [JobCounts] here.
public final class JobRows {
    /// How many bytes the texts of a job have that may be long. Databases answer that without reading the texts.
    static final String BYTES = Stream.of("input", "data", "output", "error_message", "error_details")
            .map(column -> "coalesce(octet_length(" + column + "), 0)")
            .collect(Collectors.joining(" + "));

    private static final String INSERT = """
            INSERT INTO job (id, organization_id, queue_id, habitat_id, job_type, status, priority, place, due_at, input,
                             data, ce_type, ce_source, ce_subject, route_id, bundle, dedupe_key, concurrency_key,
                             not_before, last_attempt, created_at, created_by)
            VALUES (:id, :organizationId, :queueId, :habitatId, :jobType, :status, :priority, :place, :dueAt, :input,
                    :data, :ceType, :ceSource, :ceSubject, :routeId, :bundle, :dedupeKey, :concurrencyKey,
                    :notBefore, :lastAttempt, :createdAt, :createdBy)
            ON CONFLICT (queue_id, dedupe_key)
                WHERE dedupe_key IS NOT NULL AND status IN ('scheduled', 'queued', 'claimed', 'running') DO NOTHING
            """;

    private JobRows() {}

    /// @return false where a job that is not finished has its dedupe key
    static boolean insert(Tx tx, JobRow row) {
        boolean isNew = true;
        if (row.dedupeKey() == null) {
            tx.later(INSERT, row);
        } else {
            isNew = tx.change(INSERT, row) == 1;
        }
        JobCounts.add(tx, row.organizationId(), row.queueId(), row.status(), isNew ? 1 : 0);
        return isNew;
    }

    /// The job that is not finished and has that dedupe key.
    static Optional<JobRow> live(Tx tx, UUID queue, String dedupeKey) {
        return tx.find("""
                        SELECT * FROM job WHERE queue_id = :queue AND dedupe_key = :key
                        AND status IN ('scheduled', 'queued', 'claimed', 'running')
                        """, JobRow.class, "queue", queue, "key", dedupeKey);
    }

    public static Optional<JobRow> find(Tx tx, UUID organization, UUID id) {
        return tx.find(
                "SELECT * FROM job WHERE organization_id = :organization AND id = :id",
                JobRow.class,
                "organization",
                organization,
                "id",
                id);
    }

    /// Those of the ids that are there.
    static Map<UUID, JobRow> byId(Tx tx, List<UUID> ids) {
        return tx.list("SELECT * FROM job WHERE id IN (<ids>)", JobRow.class, "ids", ids).stream()
                .collect(Collectors.toMap(JobRow::id, row -> row));
    }

    /// The same, which nobody else changes until the transaction ends.
    public static Optional<JobRow> lock(Tx tx, UUID organization, UUID id) {
        return tx.find(
                "SELECT * FROM job WHERE organization_id = :organization AND id = :id"
                        + tx.dialect().forUpdate(),
                JobRow.class,
                "organization",
                organization,
                "id",
                id);
    }

    /// A job with its queue.
    ///
    /// @param hasProgress whether its workers said how far they are
    public record Locked(
            JobRow job, @Prefixed(QueueRows.PREFIX) QueueRow queue, boolean hasProgress) {}

    /// The same with its queue, which is not locked.
    public static Optional<Locked> lockWithQueue(Tx tx, UUID organization, UUID id) {
        return tx.find(
                "SELECT job.*, " + QueueRows.PREFIXED + """
                , CASE WHEN EXISTS (SELECT 1 FROM job_progress WHERE job_id = job.id) THEN 1 ELSE 0 END AS has_progress
                FROM job JOIN queue ON queue.id = job.queue_id
                WHERE job.organization_id = :organization AND job.id = :id
                """ + tx.dialect().forUpdateOf("job"),
                Locked.class,
                "organization",
                organization,
                "id",
                id);
    }

    // --- what becomes of them, while they are locked; each gives the job as it is then ---

    /// It is claimed. What it was tried before with stays in its attempts.
    public static JobRow claim(Tx tx, JobRow job, JobRow.Hold hold) {
        JobCounts.move(tx, job.organizationId(), job.queueId(), job.status(), JobState.CLAIMED, 1);
        tx.later("""
                        UPDATE job
                        SET status = 'claimed', status_reason = NULL, attempt = attempt + 1, claims = claims + 1,
                            worker_id = :workerId, holder = :holder, lease_ms = :leaseMs, claimed_at = :claimedAt,
                            lease_until = :leaseUntil, deadline_at = :deadlineAt, started_at = NULL, updated_at = :now
                        WHERE id = :id
                        """, hold, "id", job.id());
        return job.claimed(hold, tx.now());
    }

    /// It runs the bundle of that digest, in this and in all other tries.
    public static void pin(Tx tx, UUID id, Digest digest) {
        tx.change("UPDATE job SET bundle_digest = :digest WHERE id = :id", "digest", digest, "id", id);
    }

    /// Its holder has begun it, or still does it.
    public static JobRow hold(Tx tx, JobRow job, JobState state, JobRow.Hold hold) {
        JobCounts.move(tx, job.organizationId(), job.queueId(), job.status(), state, 1);
        tx.later("""
                        UPDATE job
                        SET status = :state, worker_id = :workerId, lease_until = :leaseUntil, deadline_at = :deadlineAt,
                            started_at = :startedAt, updated_at = :now
                        WHERE id = :id
                        """, hold, "state", state, "id", job.id());
        return job.held(state, hold, tx.now());
    }

    /// It waits again.
    ///
    /// @param state queued or scheduled
    /// @param attempt the number of the last try that counts
    /// @param holder who may still report on it, though it was taken away; null: nobody
    /// @param due null: now, at its old place
    public static JobRow wait(
            Tx tx,
            JobRow job,
            JobState state,
            @Nullable String reason,
            int attempt,
            @Nullable String holder,
            @Nullable Instant due) {
        JobCounts.move(tx, job.organizationId(), job.queueId(), job.status(), state, 1);
        return tx.one(
                """
                UPDATE job
                SET status = :state, status_reason = :reason, attempt = :attempt, holder = :holder, due_at = :due,
                    place = :place, blocked = 0, worker_id = NULL, lease_until = NULL, deadline_at = NULL,
                    updated_at = :now
                WHERE id = :id RETURNING *
                """,
                JobRow.class,
                "state",
                state,
                "reason",
                reason,
                "attempt",
                attempt,
                "holder",
                holder,
                "due",
                due,
                "place",
                due == null ? job.place() : job.priority().place(due),
                "id",
                job.id());
    }

    /// It is begun anew, with so many tries more.
    static void retry(Tx tx, JobRow job, int lastAttempt) {
        wait(tx, job, JobState.QUEUED, "retried", job.attempt(), null, tx.now());
        tx.change("""
                        UPDATE job SET due_at = NULL, completed_at = NULL, last_attempt = :last WHERE id = :id
                        """, "last", lastAttempt, "id", job.id());
    }

    /// What went wrong.
    public static void failed(Tx tx, UUID id, JobRow.Failure failure) {
        tx.change("""
                        UPDATE job
                        SET error_code = :errorCode, error_message = :errorMessage, error_details = :errorDetails
                        WHERE id = :id
                        """, failure, "id", id);
    }

    /// It has ended.
    ///
    /// @param holder who may still report on it; null: nobody
    public static JobRow end(Tx tx, JobRow job, JobState state, @Nullable String reason, @Nullable String holder) {
        JobCounts.move(tx, job.organizationId(), job.queueId(), job.status(), state, 1);
        return tx.one("""
                UPDATE job
                SET status = :state, status_reason = :reason, holder = :holder, blocked = 0, due_at = NULL,
                    lease_until = NULL, deadline_at = NULL, completed_at = :now, updated_at = :now
                WHERE id = :id RETURNING *
                """, JobRow.class, "state", state, "reason", reason, "holder", holder, "id", job.id());
    }

    /// It was done, and its worker reported that.
    static JobRow complete(Tx tx, JobRow job, @Nullable JsonText output) {
        JobCounts.move(tx, job.organizationId(), job.queueId(), job.status(), JobState.COMPLETED, 1);
        tx.later("""
                UPDATE job
                SET status = 'completed', status_reason = NULL, holder = NULL, blocked = 0, due_at = NULL,
                    lease_until = NULL, deadline_at = NULL, completed_at = :now, updated_at = :now,
                    output = :output, error_code = NULL, error_message = NULL, error_details = NULL
                WHERE id = :id
                """, "output", output, "id", job.id());
        return job.completed(output, tx.now());
    }

    /// Those of a state, at most so many, for the like of retrying or deleting them; the oldest first.
    ///
    /// @param before made before that; null: whenever
    ///
    /// @param after the id after which they begin; empty: from the first on
    static List<JobRow> ofState(
            Tx tx, UUID queue, JobState state, @Nullable String jobType, Instant before, String after, int limit) {
        return tx.list(
                """
                SELECT * FROM job WHERE queue_id = :queue AND status = :state AND id > :after
                AND (cast(:type AS TEXT) IS NULL OR job_type = :type)
                AND created_at < :before
                ORDER BY id LIMIT :limit
                """ + tx.dialect().skipLocked(),
                JobRow.class,
                "queue",
                queue,
                "state",
                state,
                "type",
                jobType,
                "before",
                before,
                "after",
                after,
                "limit",
                limit);
    }

    /// Deletes one, with what is known of its tries.
    static void delete(Tx tx, JobRow job) {
        JobCounts.add(tx, job.organizationId(), job.queueId(), job.status(), -1);
        tx.change("DELETE FROM job WHERE id = :id", "id", job.id());
    }

    /// Those of a queue that ended before that, the oldest first.
    static List<JobRow> endedBefore(Tx tx, UUID queue, Instant end, int limit) {
        return tx.list(
                "SELECT * FROM job WHERE queue_id = :queue AND completed_at < :end ORDER BY completed_at LIMIT :limit",
                JobRow.class,
                "queue",
                queue,
                "end",
                end,
                "limit",
                limit);
    }

    /// Jobs of a queue, of whatever state.
    static List<JobRow> any(Tx tx, UUID queue, int limit) {
        return tx.list(
                "SELECT * FROM job WHERE queue_id = :queue LIMIT :limit", JobRow.class, "queue", queue, "limit", limit);
    }
}
