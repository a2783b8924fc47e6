package dev.sheaf.server.registry;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class RepositoryRows {
    /// Whether the policy `p` holds or refuses content, and not only what it requires.
    private static final String CHECKS = """
             (p.approvals > 0 OR p.scan_block IS NOT NULL OR p.scan_review IS NOT NULL OR p.scanners IS NOT NULL)
            """;

    /// What keeps content of the repository `r` from readers.
    public static final String CLOSED = """
            CASE WHEN EXISTS (SELECT 1 FROM manifest m WHERE m.repository_id = r.id AND m.recalled_by_id IS NOT NULL)
                 THEN 1 ELSE 0 END AS has_recalled,
            CASE WHEN EXISTS (SELECT 1 FROM manifest m WHERE m.repository_id = r.id AND m.held = 1)
                 THEN 1 ELSE 0 END AS has_held,
            CASE WHEN EXISTS (SELECT 1 FROM review_policy p WHERE p.namespace = r.namespace AND p.bundle IN ('', r.name)
                              AND""" + CHECKS + """
            ) THEN 1 ELSE 0 END AS is_reviewed
            """;

    // The owner comes from a sub-select, so that locking the row does not lock its namespace.
    private static final String SELECT = """
            SELECT r.id, r.namespace, r.name AS bundle, r.visibility,
                   (SELECT n.organization_id FROM namespace n WHERE n.name = r.namespace) AS organization_id,
            """ + CLOSED + """
            FROM repository r
            """;

    private static final String BY_NAME =
            SELECT + " WHERE r.namespace = :namespace AND r.name = :bundle AND r.deleted_at IS NULL";

    private RepositoryRows() {}

    static Optional<Repository> find(Tx tx, RepositoryName name) {
        return tx.find(BY_NAME, Repository.class, name);
    }

    /// Runs the same look-up for an impossible name.
    static Optional<Repository> findNothing(Tx tx) {
        return tx.find(BY_NAME, Repository.class, "namespace", "", "bundle", "");
    }

    static boolean isAnyPublic(Tx tx, Namespace namespace) {
        return tx.has("""
                        SELECT 1 FROM repository
                        WHERE namespace = :namespace AND visibility = 'public' AND deleted_at IS NULL LIMIT 1
                        """, "namespace", namespace);
    }

    static PipelineAnswer<Optional<Repository>> lock(Tx tx, RepositoryName name) {
        return tx.soon(BY_NAME + tx.dialect().forUpdate(), Repository.class, name)
                .map(rows -> rows.stream().findFirst());
    }

    static List<Repository> list(Tx tx, @Nullable UUID organizationId, String after, int limit) {
        int slash = after.indexOf('/');
        return tx.list(
                SELECT + """
                        WHERE (r.namespace, r.name) > (:namespace, :name) AND r.deleted_at IS NULL AND (r.visibility = 'public' OR r.namespace IN
                               (SELECT o.name FROM namespace o WHERE o.organization_id = :organization))
                          AND (EXISTS (SELECT 1 FROM tag t WHERE t.repository_id = r.id)
                               OR NOT EXISTS (SELECT 1 FROM manifest m WHERE m.repository_id = r.id AND m.held = 1))
                        ORDER BY r.namespace, r.name LIMIT :limit
                        """,
                Repository.class,
                "namespace",
                slash < 0 ? after : after.substring(0, slash),
                "name",
                slash < 0 ? "" : after.substring(slash + 1),
                "organization",
                organizationId,
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
                Repository.class,
                "digest",
                digest,
                "organization",
                organizationId,
                "limit",
                limit);
    }

    /// Prevents the row's deletion until the transaction ends. Returns false if the row is gone.
    public static boolean hold(Tx tx, long id) {
        return tx.has(
                "SELECT id FROM repository WHERE id = :id AND deleted_at IS NULL"
                        + tx.dialect().keyShare(),
                "id",
                id);
    }

    /// Returns the deleted repository with this name and locks it until the transaction ends.
    static Optional<Repositories.Deleted> lockDeleted(Tx tx, RepositoryName name) {
        return tx.find(
                BY_NAME.replace(" IS NULL", " IS NOT NULL")
                                .replace("SELECT r.id", "SELECT r.deleted_at, r.purged_at IS NOT NULL AS purged, r.id")
                        + tx.dialect().forUpdate(),
                Repositories.Deleted.class,
                name);
    }

    /// Returns the names of repositories that were deleted before a moment and are not purged.
    static List<RepositoryName> unpurged(Tx tx, Instant before, int limit) {
        return tx.list("""
                        SELECT namespace, name AS bundle FROM repository WHERE deleted_at <= :before AND purged_at IS NULL
                        ORDER BY deleted_at, id LIMIT :limit
                        """, RepositoryName.class, "before", before, "limit", limit);
    }

    static void setDeleted(Tx tx, long id, @Nullable Instant at) {
        tx.change("UPDATE repository SET deleted_at = :at WHERE id = :id", "at", at, "id", id);
    }

    static void setPurged(Tx tx, long id) {
        tx.change("UPDATE repository SET purged_at = :now WHERE id = :id", "id", id);
    }

    /// Locks the row exclusively: until the transaction ends, nothing can be added to the repository.
    public static void seal(Tx tx, long id) {
        tx.number("SELECT id FROM repository WHERE id = :id" + tx.dialect().forDelete(), "id", id);
    }

    /// Inserts a repository. Empty if the name exists.
    static Optional<Repository> insert(Tx tx, RepositoryName name) {
        return tx.find("""
                INSERT INTO repository (namespace, name, visibility, created_at)
                VALUES (:namespace, :bundle, 'private', :now)
                ON CONFLICT (namespace, name) DO NOTHING
                RETURNING id, namespace, name AS bundle, visibility, 0 AS has_recalled, 0 AS has_held,
                          CASE WHEN EXISTS (SELECT 1 FROM review_policy p
                                            WHERE p.namespace = :namespace AND p.bundle IN ('', :bundle)
                                              AND""" + CHECKS + """
                          ) THEN 1 ELSE 0 END AS is_reviewed,
                          (SELECT n.organization_id FROM namespace n WHERE n.name = :namespace) AS organization_id
                """, Repository.class, name);
    }

    static void setVisibility(Tx tx, long id, Visibility visibility) {
        tx.change("UPDATE repository SET visibility = :visibility WHERE id = :id", "visibility", visibility, "id", id);
    }

    /// Returns every repository that holds a blob, sorted by name.
    public static List<Repository> thatHold(Tx tx, long blobId) {
        return tx.list(SELECT + """
                        JOIN link l ON l.repository_id = r.id WHERE l.blob_id = :blob ORDER BY r.namespace, r.name
                        """, Repository.class, "blob", blobId);
    }

    /// Returns the repository of a manifest.
    public static Optional<Repository> ofManifest(Tx tx, long manifestId) {
        return tx.find(
                SELECT + " JOIN manifest m ON m.repository_id = r.id WHERE m.id = :manifest",
                Repository.class,
                "manifest",
                manifestId);
    }
}
