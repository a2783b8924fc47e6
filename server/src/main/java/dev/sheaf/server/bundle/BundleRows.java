package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.org.quota.UsageAmounts;
import dev.sheaf.server.org.quota.UsageChanges;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RepositoryRows;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class BundleRows {
    private static final String COLUMNS = """
            id, name, description, source_type, readme_content, readme_format, license, repository_url,
            homepage_url, keywords, deprecation_message, deprecation_replacement, created_at, updated_at
            """;
    private static final String SELECT = "SELECT " + COLUMNS + " FROM bundle WHERE repository_id = :repository";

    private static final String UPDATE = """
            UPDATE bundle SET name = :name, description = :description, readme_content = :readmeContent,
                              readme_format = :readmeFormat, license = :license, repository_url = :repositoryUrl,
                              homepage_url = :homepageUrl, keywords = :keywords, updated_at = :now
            WHERE id = :id
            """;

    private BundleRows() {}

    /// Inserts a bundle. Returns empty if the repository already has a bundle.
    static Optional<BundleRow> insert(
            Tx tx, long repositoryId, BundleProfile profile, BundleRow.Source source, String actor) {
        record Made(UUID id, long repository, BundleRow.Source source, String actor) {}
        var made = new Made(TimeOrderedIds.next(tx.now()), repositoryId, source, actor);
        var inserted = tx.find("""
                INSERT INTO bundle (id, repository_id, name, description, source_type, readme_content, readme_format,
                                    license, repository_url, homepage_url, keywords, created_at, created_by)
                VALUES (:id, :repository, :name, :description, :source, :readmeContent, :readmeFormat,
                        :license, :repositoryUrl, :homepageUrl, :keywords, :now, :actor)
                ON CONFLICT DO NOTHING RETURNING
                """ + COLUMNS, BundleRow.class, made, profile);
        inserted.ifPresent(row -> UsageChanges.add(tx, repositoryId, UsageAmounts.ONE_BUNDLE));
        return inserted;
    }

    /// Returns the names of the next bundles in the order of their repositories' ids.
    public static SortedMap<Long, RepositoryName> after(Tx tx, long repositoryId, int limit) {
        record Named(long id, RepositoryName name) {}
        var names = new TreeMap<Long, RepositoryName>();
        tx.list("""
                        SELECT r.id, r.namespace, r.name AS bundle
                        FROM bundle b JOIN repository r ON r.id = b.repository_id
                        WHERE r.id > :repository ORDER BY r.id LIMIT :limit
                        """, Named.class, "repository", repositoryId, "limit", limit)
                .forEach(row -> names.put(row.id(), row.name()));
        return names;
    }

    /// Returns the updated row.
    public static BundleRow update(Tx tx, UUID id, BundleProfile profile) {
        return tx.one(UPDATE + " RETURNING " + COLUMNS, BundleRow.class, profile, "id", id);
    }

    /// Updates a row that the transaction has locked and read.
    public static BundleRow update(Tx tx, BundleRow before, BundleProfile profile) {
        tx.later(UPDATE, profile, "id", before.id());
        return new BundleRow(
                before.id(),
                profile,
                before.sourceType(),
                before.deprecationMessage(),
                before.deprecationReplacement(),
                before.createdAt(),
                tx.now());
    }

    public static Optional<BundleRow> find(Tx tx, long repositoryId) {
        return tx.find(SELECT + " AND deleted_at IS NULL", BundleRow.class, "repository", repositoryId);
    }

    /// Asks for the bundle with that name. After a statement that waited for a lock, this sees what the others wrote.
    public static PipelineAnswer<Optional<BundleRow>> find(Tx tx, RepositoryName name) {
        return tx.soon("SELECT " + COLUMNS + """
                         FROM bundle WHERE deleted_at IS NULL AND repository_id =
                            (SELECT r.id FROM repository r
                             WHERE r.namespace = :space AND r.name = :slug AND r.deleted_at IS NULL)
                        """, BundleRow.class, "space", name.namespace(), "slug", name.bundle())
                .map(rows -> rows.stream().findFirst());
    }

    public static void setDeleted(Tx tx, UUID id, String actor, @Nullable String reason) {
        tx.change("""
                        UPDATE bundle SET deleted_at = :now, deleted_by = :actor, delete_reason = :reason WHERE id = :id
                        """, "actor", actor, "reason", reason, "id", id);
    }

    /// Returns the id of the restored bundle.
    public static UUID setRestored(Tx tx, long repositoryId) {
        return tx.one("""
                        UPDATE bundle SET deleted_at = NULL, deleted_by = NULL, delete_reason = NULL
                        WHERE repository_id = :repository RETURNING id
                        """, UUID.class, "repository", repositoryId);
    }

    public static Optional<BundleRow> findDeleted(Tx tx, long repositoryId) {
        return tx.find(SELECT + " AND deleted_at IS NOT NULL", BundleRow.class, "repository", repositoryId);
    }

    /// Clears the profile of a bundle.
    public static void blank(Tx tx, BundleSnapshot bundle) {
        update(tx, bundle.bundle().id(), BundleProfile.of(bundle.name().bundle().value(), null, null, null));
        deprecate(tx, bundle.bundle().id(), null);
        UsageChanges.add(tx, bundle.repository().id(), new UsageAmounts(0, -1, 0));
    }

    /// @param advice null to undeprecate
    public static void deprecate(Tx tx, UUID id, @Nullable DeprecationNotice advice) {
        String message = advice == null ? null : advice.message();
        String other = advice == null ? null : advice.replacement();
        tx.change("""
                        UPDATE bundle SET deprecation_message = :message, deprecation_replacement = :other,
                                          updated_at = :now
                        WHERE id = :id
                        """, "id", id, "message", message, "other", other);
    }

    /// Returns the bundles of a namespace after `after`, by slug, without their READMEs.
    ///
    /// @param all false for public bundles only
    static List<BundleSnapshot> list(Tx tx, Namespace namespace, boolean all, String after, int limit) {
        record Listed(
                long repositoryId,
                RepositoryName ref,
                UUID organizationId,
                Visibility visibility,
                boolean hasRecalled,
                boolean hasHeld,
                boolean isReviewed,
                BundleRow row) {}
        String sql = """
                SELECT r.id AS repository_id, r.namespace, r.name AS bundle, r.visibility, n.organization_id,
                       b.id, b.name, b.description, b.source_type, NULL AS readme_content, b.readme_format,
                       b.license, b.repository_url, b.homepage_url, b.keywords, b.deprecation_message,
                       b.deprecation_replacement, b.created_at, b.updated_at,
                """ + RepositoryRows.CLOSED + """
                FROM repository r JOIN namespace n ON n.name = r.namespace JOIN bundle b ON b.repository_id = r.id
                WHERE r.namespace = :namespace AND r.name > :after AND b.deleted_at IS NULL AND r.deleted_at IS NULL
                """ + (all ? "" : " AND r.visibility = 'public'")
                + " ORDER BY r.name LIMIT :limit";
        return tx.list(sql, Listed.class, "namespace", namespace, "after", after, "limit", limit).stream()
                .map(row -> new BundleSnapshot(
                        new Repository(
                                row.repositoryId(),
                                row.ref(),
                                row.organizationId(),
                                row.visibility(),
                                row.hasRecalled(),
                                row.hasHeld(),
                                row.isReviewed()),
                        row.row()))
                .toList();
    }
}
