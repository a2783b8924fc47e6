package dev.sheaf.server.queue.job;

import dev.sheaf.engine.db.LikePattern;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.mapping.ColumnPrefix;
import dev.sheaf.engine.input.JsonText;
import dev.sheaf.model.Digest;
import dev.sheaf.server.auth.HeldClaim;
import dev.sheaf.server.queue.JobCounts;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueRows;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Jobs in the database. All changes of a job's state are reported to [JobCounts] here.
public final class JobRows {
    /// The SQL for the bytes of a job's long columns. Databases compute it without reading the content.
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

    /// @return false if an unfinished job has the same dedupe key
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

    /// Returns the unfinished job with that dedupe key.
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

    /// Returns whether a job is held by this claim, and the claim's lease and grace are not over.
    public static boolean isHeld(Tx tx, HeldClaim claim) {
        return tx.has("""
                SELECT 1 FROM job WHERE organization_id = :organization AND id = :id AND claims = :number
                AND status IN ('claimed', 'running') AND deadline_at > :now
                """, "organization", claim.organization(), "id", claim.job(), "number", claim.number());
    }

    /// Returns the existing jobs with these ids.
    static Map<UUID, JobRow> byId(Tx tx, List<UUID> ids) {
        return tx.list("SELECT * FROM job WHERE id IN (<ids>)", JobRow.class, "ids", ids).stream()
                .collect(Collectors.toMap(JobRow::id, row -> row));
    }

    /// Locks a job until the transaction ends.
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
    /// @param hasProgress whether a worker has reported progress
    public record Locked(
            JobRow job, @ColumnPrefix(QueueRows.PREFIX) QueueRow queue, boolean hasProgress) {}

    /// Locks a job and returns it with its queue, which is not locked.
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

    // --- changes of locked jobs; each returns the job in its new state ---

    /// Marks a job as claimed. Earlier failures stay in its attempts.
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

    /// Pins the bundle's digest for this and all later attempts.
    public static void pin(Tx tx, UUID id, Digest digest) {
        tx.change("UPDATE job SET bundle_digest = :digest WHERE id = :id", "digest", digest, "id", id);
    }

    /// Records that the holder of a job has started or continued it.
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

    /// Returns a job to its queue.
    ///
    /// @param state the new state: queued or scheduled
    /// @param attempt the number of the last attempt that counts
    /// @param holder the holder that lost the job and may still report on it; null if there is none
    /// @param due when the job is due; null for now, at its old place
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

    /// Queues a job again, with attempts up to this number.
    static void retry(Tx tx, JobRow job, int lastAttempt) {
        wait(tx, job, JobState.QUEUED, "retried", job.attempt(), null, tx.now());
        tx.change("""
                        UPDATE job SET due_at = NULL, completed_at = NULL, last_attempt = :last WHERE id = :id
                        """, "last", lastAttempt, "id", job.id());
    }

    /// Stores the failure of a job.
    public static void failed(Tx tx, UUID id, JobRow.Failure failure) {
        tx.change("""
                        UPDATE job
                        SET error_code = :errorCode, error_message = :errorMessage, error_details = :errorDetails
                        WHERE id = :id
                        """, failure, "id", id);
    }

    /// Ends a job.
    ///
    /// @param holder the holder that may still report on the job; null if there is none
    public static JobRow end(Tx tx, JobRow job, JobState state, @Nullable String reason, @Nullable String holder) {
        JobCounts.move(tx, job.organizationId(), job.queueId(), job.status(), state, 1);
        return tx.one("""
                UPDATE job
                SET status = :state, status_reason = :reason, holder = :holder, blocked = 0, due_at = NULL,
                    lease_until = NULL, deadline_at = NULL, completed_at = :now, updated_at = :now
                WHERE id = :id RETURNING *
                """, JobRow.class, "state", state, "reason", reason, "holder", holder, "id", job.id());
    }

    /// Completes a job with the result that its worker reported.
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

    /// Returns at most `limit` jobs in a state, for bulk changes, oldest first.
    ///
    /// @param before only jobs created before this time
    /// @param after the id after which the list begins; empty for the start
    static List<JobRow> ofState(
            Tx tx, UUID queue, JobState state, JobSelection which, Instant before, String after, int limit) {
        var values = selected(queue, which, before);
        values.put("state", state);
        values.put("after", after);
        values.put("limit", limit);
        return tx.list(
                "SELECT * FROM job WHERE queue_id = :queue AND status = :state AND id > :after" + conditions(which)
                        + " ORDER BY id LIMIT :limit" + tx.dialect().skipLocked(),
                JobRow.class,
                values);
    }

    /// Counts selected jobs, up to a limit.
    ///
    /// @param before only jobs created before this time
    static long count(Tx tx, UUID queue, JobSelection which, Instant before, long limit) {
        var values = selected(queue, which, before);
        values.put("states", which.states());
        values.put("limit", limit);
        return tx.one(
                "SELECT count(*) FROM (SELECT 1 AS job FROM job WHERE queue_id = :queue AND status IN (<states>)"
                        + conditions(which) + " LIMIT :limit) AS selected",
                Long.class,
                values);
    }

    private static Map<String, @Nullable Object> selected(UUID queue, JobSelection which, Instant before) {
        var values = new HashMap<String, @Nullable Object>();
        values.put("queue", queue);
        values.put("type", which.jobType());
        values.put("code", which.errorCode());
        values.put("since", which.after());
        values.put("before", before);
        values.put("text", which.text() == null ? null : LikePattern.containing(which.text()));
        if (which.ids() != null) {
            values.put("ids", which.ids());
        }
        return values;
    }

    private static String conditions(JobSelection which) {
        return """
                 AND created_at < :before
                AND (cast(:type AS TEXT) IS NULL OR job_type = :type)
                AND (cast(:code AS TEXT) IS NULL OR error_code = :code)
                AND (cast(:since AS BIGINT) IS NULL OR created_at >= :since)
                AND (cast(:text AS TEXT) IS NULL OR lower(input) LIKE :text ESCAPE '!')""" + (which.ids() == null ? "" : " AND id IN (<ids>)");
    }

    /// Deletes a job and its attempts.
    static void delete(Tx tx, JobRow job) {
        JobCounts.add(tx, job.organizationId(), job.queueId(), job.status(), -1);
        tx.change("DELETE FROM job WHERE id = :id", "id", job.id());
    }

    /// Returns jobs of a queue that ended before this time, the oldest first.
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

    /// Returns jobs of a queue in any state.
    static List<JobRow> any(Tx tx, UUID queue, int limit) {
        return tx.list(
                "SELECT * FROM job WHERE queue_id = :queue LIMIT :limit", JobRow.class, "queue", queue, "limit", limit);
    }
}
