package dev.sheaf.server.queue;

import dev.sheaf.engine.db.Tx;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Queues in the database.
public final class QueueRows {
    /// The prefix of a queue's columns in a query that also returns other columns.
    public static final String PREFIX = "queue_its_";

    public static final String PREFIXED = Stream.of(
                    "id",
                    "organization_id",
                    "habitat_id",
                    "slug",
                    "name",
                    "description",
                    "status",
                    "max_attempts",
                    "lease_seconds",
                    "timeout_seconds",
                    "max_running",
                    "max_depth",
                    "retry_base",
                    "retry_cap",
                    "retention_days",
                    "bundle",
                    "harness_type",
                    "execution",
                    "events",
                    "created_at",
                    "created_by",
                    "updated_at")
            .map(column -> "queue." + column + " AS " + PREFIX + column)
            .collect(Collectors.joining(", "));

    private static final String SELECT = "SELECT * FROM queue WHERE organization_id = :organization";

    private QueueRows() {}

    static void insert(Tx tx, QueueRow row) {
        tx.change("""
                INSERT INTO queue (id, organization_id, habitat_id, slug, name, description, status, max_attempts,
                                   lease_seconds, timeout_seconds, max_running, max_depth, retry_base, retry_cap,
                                   retention_days, bundle, harness_type, execution, events, created_at, created_by)
                VALUES (:id, :organizationId, :habitatId, :slug, :name, :description, :status, :maxAttempts,
                        :leaseSeconds, :timeoutSeconds, :maxRunning, :maxDepth, :retryBase, :retryCap,
                        :retentionDays, :bundle, :harnessType, :execution, :events, :createdAt, :createdBy)
                """, row);
    }

    static long count(Tx tx, UUID organization) {
        return tx.number(
                "SELECT count(*) FROM queue WHERE organization_id = :organization", "organization", organization);
    }

    public static Optional<QueueRow> find(Tx tx, UUID organization, UUID id) {
        return tx.find(SELECT + " AND id = :id", QueueRow.class, "organization", organization, "id", id);
    }

    static Optional<QueueRow> find(Tx tx, UUID organization, String slug) {
        return tx.find(SELECT + " AND slug = :slug", QueueRow.class, "organization", organization, "slug", slug);
    }

    /// Finds a queue of any organization.
    public static Optional<QueueRow> find(Tx tx, UUID id) {
        return tx.find("SELECT * FROM queue WHERE id = :id", QueueRow.class, "id", id);
    }

    /// Locks a queue until the transaction ends.
    public static boolean lock(Tx tx, UUID id) {
        return tx.has("SELECT 1 FROM queue WHERE id = :id" + tx.dialect().forUpdate(), "id", id);
    }

    /// Locks a queue against new jobs until the transaction ends.
    public static boolean lockToDelete(Tx tx, UUID id) {
        return tx.has("SELECT 1 FROM queue WHERE id = :id" + tx.dialect().forDelete(), "id", id);
    }

    /// Returns the queues of all organizations.
    public static List<QueueRow> all(Tx tx) {
        return tx.list("SELECT * FROM queue ORDER BY id", QueueRow.class);
    }

    /// A queue, and the numbers of waiting jobs.
    ///
    /// @param ofQueue the number in this queue
    /// @param ofOrganization the number in all queues of its organization
    public record Kept(QueueRow queue, long ofQueue, long ofOrganization) {}

    /// Returns a queue and prevents its deletion until the transaction ends.
    public static Optional<Kept> keep(Tx tx, UUID organization, UUID id) {
        return keep(tx, organization, "id = :id", "id", id);
    }

    static Optional<Kept> keep(Tx tx, UUID organization, String slug) {
        return keep(tx, organization, "slug = :slug", "slug", slug);
    }

    private static Optional<Kept> keep(Tx tx, UUID organization, String which, String name, Object value) {
        return tx.find("""
                SELECT queue.*,
                       (SELECT coalesce(sum(count), 0) FROM job_count
                        WHERE scope_id = queue.id AND status IN ('queued', 'scheduled')) AS of_queue,
                       (SELECT coalesce(sum(count), 0) FROM job_count
                        WHERE scope_id = queue.organization_id AND status = 'waiting') AS of_organization
                FROM queue WHERE organization_id = :organization AND\s""" + which + tx.dialect().keyShare(), Kept.class, "organization", organization, name, value);
    }

    /// Selects the queues to list; null for any value.
    record Filter(
            @Nullable QueueStatus status,
            @Nullable UUID habitatId,
            @Nullable String text) {}

    /// Lists queues in the order of creation.
    ///
    /// @param after null, or the id after which the list begins
    static List<QueueRow> list(Tx tx, UUID organization, Filter filter, @Nullable String after, int limit) {
        return tx.list(
                SELECT + """
                         AND id > :after
                        AND (cast(:status AS TEXT) IS NULL OR status = :status)
                        AND (cast(:habitatId AS TEXT) IS NULL OR habitat_id = :habitatId)
                        AND (cast(:text AS TEXT) IS NULL OR lower(slug) LIKE :text ESCAPE '!' OR lower(name) LIKE :text ESCAPE '!')
                        ORDER BY id LIMIT :limit
                        """,
                QueueRow.class,
                filter,
                "organization",
                organization,
                "after",
                after == null ? "" : after,
                "limit",
                limit);
    }

    static void update(Tx tx, QueueRow row) {
        tx.change("""
                UPDATE queue
                SET habitat_id = :habitatId, slug = :slug, name = :name, description = :description, status = :status,
                    max_attempts = :maxAttempts, lease_seconds = :leaseSeconds, timeout_seconds = :timeoutSeconds,
                    max_running = :maxRunning, max_depth = :maxDepth, retry_base = :retryBase, retry_cap = :retryCap,
                    retention_days = :retentionDays, bundle = :bundle, harness_type = :harnessType,
                    execution = :execution, events = :events, updated_at = :now
                WHERE id = :id
                """, row);
    }

    public static void delete(Tx tx, UUID id) {
        tx.change("DELETE FROM queue WHERE id = :id", "id", id);
    }
}
