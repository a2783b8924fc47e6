package dev.sheaf.server.queue.claim;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Workers in the database.
final class WorkerRows {
    private WorkerRows() {}

    static void insert(Tx tx, WorkerRow row) {
        tx.change("""
                INSERT INTO worker (id, organization_id, habitat_id, runner_id, holder, instance_id, name, worker_type,
                                    client_version, client_metadata, registered_at, deadline_at)
                VALUES (:id, :organizationId, :habitatId, :runnerId, :holder, :instanceId, :name, :workerType,
                        :clientVersion, :clientMetadata, :registeredAt, :deadlineAt)
                """, row);
    }

    static long countLive(Tx tx, UUID organization) {
        return tx.number(
                "SELECT count(*) FROM worker WHERE organization_id = :organization AND deregistered_at IS NULL",
                "organization",
                organization);
    }

    static Optional<WorkerRow> find(Tx tx, UUID organization, UUID id) {
        return tx.find(
                "SELECT * FROM worker WHERE organization_id = :organization AND id = :id",
                WorkerRow.class,
                "organization",
                organization,
                "id",
                id);
    }

    /// Lists workers, the newest first.
    static List<WorkerRow> list(Tx tx, UUID organization, @Nullable String before, int limit) {
        return tx.list(
                "SELECT * FROM worker WHERE organization_id = :organization AND id < :before ORDER BY id DESC LIMIT :limit",
                WorkerRow.class,
                "organization",
                organization,
                "before",
                before == null ? TimeOrderedIds.END : before,
                "limit",
                limit);
    }

    /// Ends earlier registrations of the same program.
    static void replace(Tx tx, UUID organization, String holder, String instance) {
        tx.change("""
                        UPDATE worker SET deregistered_at = :now, reason = 'replaced', current_job_id = NULL
                        WHERE organization_id = :organization AND holder = :holder AND instance_id = :instance
                        AND deregistered_at IS NULL
                        """, "organization", organization, "holder", holder, "instance", instance);
    }

    /// Deletes earlier registrations of the same name that have ended, so that a program that is started for each
    /// job leaves one entry. Attempts keep the ids of their workers.
    static void forgetEnded(Tx tx, WorkerRow row) {
        if (row.name() != null) {
            tx.change("""
                    DELETE FROM worker
                    WHERE organization_id = :organizationId AND holder = :holder AND name = :name
                    AND worker_type = :workerType AND habitat_id = :habitatId AND deregistered_at IS NOT NULL
                    """, row);
        }
    }

    static void beat(Tx tx, UUID id, @Nullable UUID job, Instant deadline) {
        tx.change(
                "UPDATE worker SET current_job_id = :job, deadline_at = :deadline WHERE id = :id",
                "job",
                job,
                "deadline",
                deadline,
                "id",
                id);
    }

    /// Counts a job that has ended.
    ///
    /// @param worker the worker that the claim named; null if it named none
    static void done(Tx tx, UUID organization, @Nullable UUID worker, boolean completed) {
        if (worker != null) {
            tx.later(
                    """
                            UPDATE worker
                            SET current_job_id = NULL, jobs_completed = jobs_completed + :completed,
                                jobs_failed = jobs_failed + :failed
                            WHERE id = :worker AND organization_id = :organization AND deregistered_at IS NULL
                            """,
                    "completed",
                    completed ? 1 : 0,
                    "failed",
                    completed ? 0 : 1,
                    "worker",
                    worker,
                    "organization",
                    organization);
        }
    }

    /// @param completed the number that the worker reports; null to keep the counted number
    /// @param failed the number that the worker reports; null to keep the counted number
    static void deregister(Tx tx, UUID id, @Nullable String reason, @Nullable Long completed, @Nullable Long failed) {
        tx.change("""
                UPDATE worker
                SET deregistered_at = :now, reason = :reason, current_job_id = NULL,
                    jobs_completed = coalesce(:completed, jobs_completed), jobs_failed = coalesce(:failed, jobs_failed)
                WHERE id = :id AND deregistered_at IS NULL
                """, "reason", reason, "completed", completed, "failed", failed, "id", id);
    }

    /// Deletes workers that ended before this time.
    static int sweep(Tx tx, Instant before, int limit) {
        return tx.change("""
                DELETE FROM worker WHERE id IN (
                    SELECT id FROM worker WHERE coalesce(deregistered_at, deadline_at) < :before LIMIT :limit)
                """, "before", before, "limit", limit);
    }
}
