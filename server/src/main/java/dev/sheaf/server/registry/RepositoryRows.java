package dev.sheaf.server.registry;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class RepositoryRows {
    // The owner comes from a sub-select, so that locking the row leaves its namespace alone.
    private static final String SELECT = """
            SELECT r.id, r.namespace, r.name, r.visibility,
                   (SELECT n.organization_id FROM namespace n WHERE n.name = r.namespace) AS organization_id
            FROM repository r
            """;

    private RepositoryRows() {}

    static Optional<Repository> find(Tx tx, RepositoryName name) {
        return byName(tx, name, " AND r.deleted_at IS NULL");
    }

    /// The same look-up for a name that nothing can have.
    static Optional<Repository> findNothing(Tx tx) {
        return byName(tx, "", "", " AND r.deleted_at IS NULL");
    }

    static boolean isAnyPublic(Tx tx, Namespace namespace) {
        return tx.find("""
                        SELECT 1 FROM repository
                        WHERE namespace = :namespace AND visibility = 'public' AND deleted_at IS NULL LIMIT 1
                        """, Integer.class, "namespace", namespace.value()).isPresent();
    }

    static Optional<Repository> lock(Tx tx, RepositoryName name) {
        return byName(tx, name, " AND r.deleted_at IS NULL" + tx.dialect().forUpdate());
    }

    private static Optional<Repository> byName(Tx tx, RepositoryName name, String rest) {
        return byName(tx, name.namespace().value(), name.bundle().value(), rest);
    }

    private static Optional<Repository> byName(Tx tx, String namespace, String name, String rest) {
        return tx.find(
                SELECT + " WHERE r.namespace = :namespace AND r.name = :name" + rest,
                RepositoryRows::read,
                "namespace",
                namespace,
                "name",
                name);
    }

    static List<Repository> list(Tx tx, @Nullable UUID organizationId, String after, int limit) {
        int slash = after.indexOf('/');
        return tx.list(
                SELECT + """
                        WHERE (r.namespace, r.name) > (:namespace, :name) AND r.deleted_at IS NULL AND (r.visibility = 'public' OR r.namespace IN
                               (SELECT o.name FROM namespace o WHERE o.organization_id = :organization))
                        ORDER BY r.namespace, r.name LIMIT :limit
                        """,
                RepositoryRows::read,
                "namespace",
                slash < 0 ? after : after.substring(0, slash),
                "name",
                slash < 0 ? "" : after.substring(slash + 1),
                "organization",
                organizationId == null ? "" : organizationId.toString(),
                "limit",
                limit);
    }

    static List<Repository> holding(Tx tx, UUID organizationId, Digest digest, int limit) {
        return tx.list(
                "SELECT * FROM (" + SELECT + """
                        JOIN link l ON l.repository_id = r.id JOIN blob b ON b.id = l.blob_id
                        WHERE b.digest = :digest AND r.deleted_at IS NULL) held
                        WHERE visibility = 'public' OR organization_id = :organization
                        ORDER BY CASE WHEN organization_id = :organization THEN 0 ELSE 1 END, id LIMIT :limit
                        """,
                RepositoryRows::read,
                "digest",
                digest,
                "organization",
                organizationId.toString(),
                "limit",
                limit);
    }

    /// Keeps the row from being deleted until the transaction ends; false where it is gone.
    public static boolean hold(Tx tx, long id) {
        return tx.find(
                        "SELECT id FROM repository WHERE id = :id AND deleted_at IS NULL"
                                + tx.dialect().keyShare(),
                        Long.class,
                        "id",
                        id)
                .isPresent();
    }

    /// The deleted repository of this name, locked until the transaction ends.
    static Optional<Repositories.Deleted> lockDeleted(Tx tx, RepositoryName name) {
        return tx.find(
                SELECT.replace("r.visibility,", "r.visibility, r.deleted_at, r.purged_at,")
                        + " WHERE r.namespace = :namespace AND r.name = :name AND r.deleted_at IS NOT NULL"
                        + tx.dialect().forUpdate(),
                row -> {
                    var repository = read(row);
                    var deletedAt = Instant.ofEpochMilli(row.getLong("deleted_at"));
                    return new Repositories.Deleted(repository, deletedAt, row.getObject("purged_at") != null);
                },
                "namespace",
                name.namespace(),
                "name",
                name.bundle());
    }

    /// Names of repositories that were deleted before, of which something is left.
    static List<RepositoryName> unpurged(Tx tx, Instant before, int limit) {
        return tx.list("""
                        SELECT namespace, name FROM repository WHERE deleted_at <= :before AND purged_at IS NULL
                        ORDER BY deleted_at, id LIMIT :limit
                        """, RepositoryRows::name, "before", before, "limit", limit);
    }

    static void setDeleted(Tx tx, long id, @Nullable Instant at) {
        tx.change(
                "UPDATE repository SET deleted_at = :at WHERE id = :id",
                "at",
                at == null ? null : at.toEpochMilli(),
                "id",
                id);
    }

    static void setPurged(Tx tx, long id) {
        tx.change("UPDATE repository SET purged_at = :now WHERE id = :id", "now", tx.now(), "id", id);
    }

    /// Locks the row against everything: until the transaction ends, nothing new comes into the repository.
    public static void seal(Tx tx, long id) {
        tx.number("SELECT id FROM repository WHERE id = :id" + tx.dialect().forDelete(), "id", id);
    }

    /// Empty where there is one of that name.
    static Optional<Repository> insert(Tx tx, RepositoryName name) {
        return tx.find("""
                INSERT INTO repository (namespace, name, visibility, created_at)
                VALUES (:namespace, :bundle, 'private', :now)
                ON CONFLICT (namespace, name) DO NOTHING
                RETURNING id, namespace, name, visibility,
                          (SELECT n.organization_id FROM namespace n WHERE n.name = :namespace) AS organization_id
                """, RepositoryRows::read, name, "now", tx.now());
    }

    static void setVisibility(Tx tx, long id, Visibility visibility) {
        tx.change("UPDATE repository SET visibility = :visibility WHERE id = :id", "visibility", visibility, "id", id);
    }

    /// Every repository that holds a blob, sorted by name.
    public static List<Repository> thatHold(Tx tx, long blobId) {
        return tx.list(SELECT + """
                        JOIN link l ON l.repository_id = r.id WHERE l.blob_id = :blob ORDER BY r.namespace, r.name
                        """, RepositoryRows::read, "blob", blobId);
    }

    /// The repository that a manifest is in.
    public static Optional<Repository> ofManifest(Tx tx, long manifestId) {
        return tx.find(
                SELECT + " JOIN manifest m ON m.repository_id = r.id WHERE m.id = :manifest",
                RepositoryRows::read,
                "manifest",
                manifestId);
    }

    private static Repository read(ResultSet row) throws SQLException {
        return new Repository(
                row.getLong("id"),
                name(row),
                UUID.fromString(row.getString("organization_id")),
                Visibility.parse(row.getString("visibility")));
    }

    private static RepositoryName name(ResultSet row) throws SQLException {
        return new RepositoryName(Namespace.parse(row.getString("namespace")), BundleName.parse(row.getString("name")));
    }
}
