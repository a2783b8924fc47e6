package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.RepositoryName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Deleted bundles whose content is still there.
public final class TrashRows {
    private static final String SELECT = """
            SELECT r.namespace, r.name AS bundle, b.name AS title, r.deleted_at, b.deleted_by, b.delete_reason,
                   (SELECT count(*) FROM version v WHERE v.bundle_id = b.id) AS versions
            FROM repository r JOIN namespace n ON n.name = r.namespace JOIN bundle b ON b.repository_id = r.id
            WHERE r.purged_at IS NULL AND r.deleted_at > :since AND n.organization_id = :organization
            """;

    private TrashRows() {}

    /// A deleted bundle.
    public record Row(
            RepositoryName ref,
            String title,
            Instant deletedAt,
            @Nullable String deletedBy,
            @Nullable String deleteReason,
            int versions) {}

    /// The place of a row in the list.
    public record Place(Instant deletedAt, RepositoryName name) {}

    /// Lists the bundles of an organization that were deleted after a moment, the last deleted first.
    ///
    /// @param after the place after which the list begins; null for the beginning
    public static List<Row> list(Tx tx, UUID organization, Instant since, @Nullable Place after, int limit) {
        String order = " ORDER BY r.deleted_at DESC, r.namespace, r.name LIMIT :limit";
        return after == null
                ? tx.list(SELECT + order, Row.class, "since", since, "organization", organization, "limit", limit)
                : tx.list(
                        SELECT + """
                                AND (r.deleted_at < :at
                                     OR r.deleted_at = :at AND (r.namespace, r.name) > (:namespace, :bundle))
                                """ + order,
                        Row.class,
                        "since",
                        since,
                        "organization",
                        organization,
                        "at",
                        after.deletedAt(),
                        "namespace",
                        after.name().namespace(),
                        "bundle",
                        after.name().bundle(),
                        "limit",
                        limit);
    }

    /// Finds a bundle of an organization that was deleted after a moment.
    public static Optional<Row> find(Tx tx, UUID organization, Instant since, RepositoryName name) {
        return tx.find(
                SELECT + " AND r.namespace = :namespace AND r.name = :bundle",
                Row.class,
                "since",
                since,
                "organization",
                organization,
                "namespace",
                name.namespace(),
                "bundle",
                name.bundle());
    }

    /// Counts the bundles of an organization that were deleted after a moment.
    public static long count(Tx tx, UUID organization, Instant since) {
        return tx.number("""
                SELECT count(*) FROM repository r JOIN namespace n ON n.name = r.namespace
                WHERE r.purged_at IS NULL AND r.deleted_at > :since AND n.organization_id = :organization
                """, "since", since, "organization", organization);
    }
}
