package dev.sheaf.server.bundle.requirement;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.bundle.review.ReviewRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The rows from which a closure is made, of many bundles in one statement.
final class ClosureRows {
    private ClosureRows() {}

    /// A requirement with what decides who may know the required bundle.
    record Row(
            UUID versionId,
            long repositoryId,
            RepositoryName name,
            UUID organizationId,
            Visibility visibility,
            boolean deleted,
            String versionRange,
            boolean optional,
            UUID ownerId)
            implements Access.Target {}

    // read by hand, which is several times as fast as by reflection; a closure reads thousands of rows
    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                UUID.fromString(row.getString(1)),
                row.getLong(2),
                new RepositoryName(new Namespace(row.getString(3)), new BundleName(row.getString(4))),
                UUID.fromString(row.getString(5)),
                Visibility.parse(row.getString(6)),
                row.getInt(7) == 1,
                row.getString(8),
                row.getInt(9) == 1,
                UUID.fromString(row.getString(10)));
    }

    private static Published version(ResultSet row) throws SQLException {
        return new Published(row.getLong(1), UUID.fromString(row.getString(2)), Version.parse(row.getString(3)));
    }

    /// Returns what versions require.
    static List<Row> requires(Tx tx, Collection<UUID> versions, int limit) {
        return tx.list("""
                        SELECT q.version_id, q.repository_id, r.namespace, r.name AS bundle, n.organization_id, r.visibility,
                               CASE WHEN r.deleted_at IS NULL THEN 0 ELSE 1 END AS deleted,
                               q.version_range, q.optional, q.owner_id
                        FROM version_requirement q JOIN repository r ON r.id = q.repository_id
                        JOIN namespace n ON n.name = r.namespace
                        WHERE q.version_id IN (<versions>) LIMIT :limit
                        """, ClosureRows::row, "versions", versions, "limit", limit);
    }

    /// A published version.
    record Published(long repositoryId, UUID id, Version version) {}

    /// Returns the published versions of bundles, highest first.
    ///
    /// @param until only those published until then; null for all
    /// @param approved whether only those that were approved
    static List<Published> published(
            Tx tx, Collection<Long> repositories, @Nullable Instant until, boolean approved, int limit) {
        return tx.list(
                """
                SELECT b.repository_id, v.id, v.version
                FROM bundle b JOIN version v ON v.bundle_id = b.id
                WHERE b.repository_id IN (<repositories>) AND b.deleted_at IS NULL AND v.state = 'published'
                """ + (until == null ? "" : " AND v.published_at <= :until ")
                        + (approved ? " AND " + ReviewRows.IS_APPROVED : "")
                        + " ORDER BY v.sort_key DESC LIMIT :limit",
                ClosureRows::version,
                "repositories",
                repositories,
                "until",
                until,
                "limit",
                limit);
    }

    /// Returns the digests of the manifests of versions.
    static Map<UUID, Digest> digests(Tx tx, Collection<UUID> versions) {
        return versions.isEmpty() ? Map.of() : tx.map("""
                        SELECT v.id, m.digest FROM version v JOIN manifest m ON m.id = v.manifest_id
                        WHERE v.id IN (<versions>)
                        """, UUID.class, Digest.class, "versions", versions);
    }
}
