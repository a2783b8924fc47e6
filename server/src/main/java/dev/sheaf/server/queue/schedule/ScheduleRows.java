package dev.sheaf.server.queue.schedule;

import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Schedules of queues in the database.
final class ScheduleRows {
    private ScheduleRows() {}

    static void insert(Tx tx, ScheduleRow row) {
        tx.change("""
                INSERT INTO schedule (id, queue_id, name, cron, time_zone, input, job_type, enabled, next_at, created_at,
                                      created_by)
                VALUES (:id, :queueId, :name, :cron, :timeZone, :input, :jobType, :enabled, :nextAt, :createdAt,
                        :createdBy)
                """, row);
    }

    static void update(Tx tx, ScheduleRow row) {
        tx.change("""
                UPDATE schedule
                SET name = :name, cron = :cron, time_zone = :timeZone, input = :input, job_type = :jobType,
                    enabled = :enabled, disabled = :disabled, next_at = :nextAt, created_by = :createdBy,
                    updated_at = :now
                WHERE id = :id
                """, row);
    }

    static long count(Tx tx, UUID queue) {
        return tx.number("SELECT count(*) FROM schedule WHERE queue_id = :queue", "queue", queue);
    }

    static long countOfAll(Tx tx, UUID organization) {
        return tx.number(
                "SELECT count(*) FROM queue JOIN schedule ON schedule.queue_id = queue.id"
                        + " WHERE queue.organization_id = :organization",
                "organization",
                organization);
    }

    static Optional<ScheduleRow> find(Tx tx, UUID queue, UUID id) {
        return tx.find(
                "SELECT * FROM schedule WHERE queue_id = :queue AND id = :id",
                ScheduleRow.class,
                "queue",
                queue,
                "id",
                id);
    }

    /// Lists schedules in the order of creation.
    static List<ScheduleRow> list(Tx tx, UUID queue, @Nullable String after, int limit) {
        return tx.list(
                "SELECT * FROM schedule WHERE queue_id = :queue AND id > :after ORDER BY id LIMIT :limit",
                ScheduleRow.class,
                "queue",
                queue,
                "after",
                after == null ? "" : after,
                "limit",
                limit);
    }

    static void delete(Tx tx, UUID id) {
        tx.change("DELETE FROM schedule WHERE id = :id", "id", id);
    }

    /// Returns at most this many due schedules, the longest overdue first.
    static List<ScheduleRow> due(Tx tx, int most) {
        return tx.list(
                "SELECT * FROM schedule WHERE next_at <= :now ORDER BY next_at LIMIT :most",
                ScheduleRow.class,
                "most",
                most);
    }

    /// Returns the next time of any schedule; empty if there is none.
    static Optional<Instant> next(Tx tx) {
        return tx.find("SELECT min(next_at) FROM schedule WHERE next_at IS NOT NULL", Instant.class);
    }

    /// Moves a due schedule to its next time.
    ///
    /// @return false if another node was first
    static boolean advance(Tx tx, ScheduleRow row, @Nullable Instant next) {
        return tx.change(
                        "UPDATE schedule SET next_at = :next, last_at = :now WHERE id = :id AND next_at = :due",
                        "next",
                        next,
                        "id",
                        row.id(),
                        "due",
                        row.nextAt())
                == 1;
    }

    /// Disables a schedule, unless another node has handled its time.
    static void disable(Tx tx, ScheduleRow row, String reason) {
        tx.change(
                "UPDATE schedule SET enabled = 0, disabled = :reason, next_at = NULL, updated_at = :now"
                        + " WHERE id = :id AND next_at = :due",
                "reason",
                reason,
                "id",
                row.id(),
                "due",
                row.nextAt());
    }
}
