package dev.sheaf.server.queue;

import dev.sheaf.engine.db.Tx;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Habitats in the database.
final class HabitatRows {
    private static final String SELECT = """
            SELECT habitat.*, CASE WHEN EXISTS (
                SELECT 1 FROM worker
                WHERE habitat_id = habitat.id AND deregistered_at IS NULL AND deadline_at > :now) THEN 1 ELSE 0 END AS online
            FROM habitat WHERE organization_id = :organization
            """;

    private HabitatRows() {}

    static void insert(Tx tx, HabitatRow row) {
        tx.change("""
                INSERT INTO habitat (id, organization_id, slug, name, habitat_type, created_at)
                VALUES (:id, :organizationId, :slug, :name, :habitatType, :createdAt)
                """, row);
    }

    static Optional<HabitatRow> find(Tx tx, UUID organization, UUID id) {
        return tx.find(SELECT + " AND id = :id", HabitatRow.class, "organization", organization, "id", id);
    }

    static Optional<HabitatRow> find(Tx tx, UUID organization, String slug) {
        return tx.find(SELECT + " AND slug = :slug", HabitatRow.class, "organization", organization, "slug", slug);
    }

    /// Lists habitats in the order of creation.
    static List<HabitatRow> list(Tx tx, UUID organization, @Nullable String after, int limit) {
        return tx.list(
                SELECT + " AND id > :after ORDER BY id LIMIT :limit",
                HabitatRow.class,
                "organization",
                organization,
                "after",
                after == null ? "" : after,
                "limit",
                limit);
    }

    static long count(Tx tx, UUID organization) {
        return tx.number(
                "SELECT count(*) FROM habitat WHERE organization_id = :organization", "organization", organization);
    }

    static void update(Tx tx, UUID id, String name, String slug, String type) {
        tx.change("""
                        UPDATE habitat SET name = :name, slug = :slug, habitat_type = :type, updated_at = :now WHERE id = :id
                        """, "name", name, "slug", slug, "type", type, "id", id);
    }

    static boolean hasQueues(Tx tx, UUID id) {
        return tx.has("SELECT 1 FROM queue WHERE habitat_id = :id", "id", id);
    }

    static void delete(Tx tx, UUID id) {
        tx.change("DELETE FROM habitat WHERE id = :id", "id", id);
    }
}
