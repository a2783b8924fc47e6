package dev.sheaf.server.queue.route;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.event.FeedWaking;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Routes from events to queues in the database, with their positions.
final class RouteRows {
    private static final String SELECT = "SELECT * FROM job_route WHERE organization_id = :organization";

    private RouteRows() {}

    static void insert(Tx tx, RouteRow row) {
        tx.change("""
                INSERT INTO job_route (id, organization_id, queue_id, name, event_types, subject, input_template, enabled,
                                       seq, created_at, created_by)
                VALUES (:id, :organizationId, :queueId, :name, :eventTypes, :subject, :inputTemplate, :enabled, :seq,
                        :createdAt, :createdBy)
                """, row);
    }

    static void update(Tx tx, RouteRow row) {
        tx.change("""
                UPDATE job_route
                SET queue_id = :queueId, name = :name, event_types = :eventTypes, subject = :subject,
                    input_template = :inputTemplate, enabled = :enabled, disabled = :disabled, last_error = :lastError,
                    created_by = :createdBy,
                    seq = :seq, updated_at = :now
                WHERE id = :id
                """, row);
    }

    static long count(Tx tx, UUID organization) {
        return tx.number(
                "SELECT count(*) FROM job_route WHERE organization_id = :organization", "organization", organization);
    }

    static Optional<RouteRow> find(Tx tx, UUID organization, UUID id) {
        return tx.find(SELECT + " AND id = :id", RouteRow.class, "organization", organization, "id", id);
    }

    static Optional<RouteRow> lock(Tx tx, UUID organization, UUID id) {
        return tx.find(
                SELECT + " AND id = :id" + tx.dialect().forUpdate(),
                RouteRow.class,
                "organization",
                organization,
                "id",
                id);
    }

    /// Lists routes in the order of creation.
    static List<RouteRow> list(Tx tx, UUID organization, @Nullable String after, int limit) {
        return tx.list(
                SELECT + " AND id > :after ORDER BY id LIMIT :limit",
                RouteRow.class,
                "organization",
                organization,
                "after",
                after == null ? "" : after,
                "limit",
                limit);
    }

    /// Returns the organizations that have enabled routes.
    static List<UUID> organizations(Tx tx) {
        return tx.list("SELECT DISTINCT organization_id FROM job_route WHERE enabled = 1", UUID.class);
    }

    /// Returns the enabled routes of an organization.
    static List<UUID> enabled(Tx tx, UUID organization) {
        return tx.list(
                "SELECT id FROM job_route WHERE organization_id = :organization AND enabled = 1",
                UUID.class,
                "organization",
                organization);
    }

    /// Returns the enabled routes of all organizations.
    static List<FeedWaking.Following> enabled(Tx tx) {
        return tx.list(
                "SELECT id, organization_id, seq, 0 AS owed FROM job_route WHERE enabled = 1",
                FeedWaking.Following.class);
    }

    /// Stores the last event that was handled.
    static void progress(Tx tx, UUID id, long seq) {
        tx.change("UPDATE job_route SET seq = :seq WHERE id = :id AND seq < :seq", "seq", seq, "id", id);
    }

    /// Stores the last failure; null to clear it.
    static void failed(Tx tx, UUID id, @Nullable String error) {
        tx.change("UPDATE job_route SET last_error = :error WHERE id = :id", "error", error, "id", id);
    }

    static void disable(Tx tx, UUID id, String reason) {
        tx.change(
                "UPDATE job_route SET enabled = 0, disabled = :reason, updated_at = :now WHERE id = :id AND enabled = 1",
                "reason",
                reason,
                "id",
                id);
    }

    static void delete(Tx tx, UUID id) {
        tx.change("DELETE FROM job_route WHERE id = :id", "id", id);
    }
}
