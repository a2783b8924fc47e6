package dev.sheaf.server.bundle;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.db.Columns;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.org.quota.Amounts;
import dev.sheaf.server.org.quota.Usage;
import dev.sheaf.server.registry.Repository;
import java.sql.ResultSet;
import java.sql.SQLException;
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

    private BundleRows() {}

    /// Empty where the repository has a bundle already.
    static Optional<BundleRow> insert(Tx tx, long repositoryId, Profile profile, String sourceType, String actor) {
        var inserted = tx.find(
                """
                        INSERT INTO bundle (id, repository_id, name, description, source_type, readme_content,
                                            readme_format, license, repository_url, homepage_url, keywords, created_at,
                                            created_by)
                        VALUES (:id, :repository, :name, :description, :source, :readmeContent,
                                :readmeFormat, :license, :repositoryUrl, :homepageUrl, :words, :now,
                                :actor)
                        ON CONFLICT DO NOTHING RETURNING
                        """ + COLUMNS,
                BundleRows::read,
                profile,
                "words",
                words(profile),
                "id",
                Ids.next(tx.now()),
                "repository",
                repositoryId,
                "source",
                sourceType,
                "now",
                tx.now(),
                "actor",
                actor);
        inserted.ifPresent(row -> Usage.add(tx, repositoryId, Amounts.ONE_BUNDLE));
        return inserted;
    }

    private static @Nullable String words(Profile profile) {
        return profile.keywords().isEmpty() ? null : String.join("\n", profile.keywords());
    }

    /// The names of some bundles in the order of their repositories' ids, by these.
    public static SortedMap<Long, RepositoryName> after(Tx tx, long repositoryId, int limit) {
        var names = new TreeMap<Long, RepositoryName>();
        tx.list(
                """
                        SELECT r.id, r.namespace, r.name FROM bundle b JOIN repository r ON r.id = b.repository_id
                        WHERE r.id > :repository ORDER BY r.id LIMIT :limit
                        """,
                row -> names.put(
                        row.getLong("id"),
                        new RepositoryName(
                                Namespace.parse(row.getString("namespace")), BundleName.parse(row.getString("name")))),
                "repository",
                repositoryId,
                "limit",
                limit);
        return names;
    }

    public static void update(Tx tx, UUID id, Profile profile) {
        tx.change("""
                UPDATE bundle SET name = :name, description = :description, readme_content = :readmeContent,
                                  readme_format = :readmeFormat, license = :license, repository_url = :repositoryUrl,
                                  homepage_url = :homepageUrl, keywords = :words, updated_at = :now
                WHERE id = :id
                """, profile, "words", words(profile), "id", id, "now", tx.now());
    }

    /// The row as it is then.
    public static BundleRow describe(Tx tx, UUID id, Description text) {
        return tx.one("""
                UPDATE bundle SET name = :name, description = :description, readme_content = :readmeContent,
                                  readme_format = :readmeFormat, updated_at = :now
                WHERE id = :id RETURNING
                """ + COLUMNS, BundleRows::read, text, "id", id, "now", tx.now());
    }

    public static Optional<BundleRow> find(Tx tx, long repositoryId) {
        return tx.find(SELECT + " AND deleted_at IS NULL", BundleRows::read, "repository", repositoryId);
    }

    public static void setDeleted(Tx tx, UUID id, String actor, @Nullable String reason) {
        tx.change("""
                        UPDATE bundle SET deleted_at = :now, deleted_by = :actor, delete_reason = :reason WHERE id = :id
                        """, "now", tx.now(), "actor", actor, "reason", reason, "id", id);
    }

    /// The id of the bundle that is there again.
    public static UUID setRestored(Tx tx, long repositoryId) {
        return tx.one("""
                        UPDATE bundle SET deleted_at = NULL, deleted_by = NULL, delete_reason = NULL
                        WHERE repository_id = :repository RETURNING id
                        """, UUID.class, "repository", repositoryId);
    }

    public static Optional<BundleRow> findDeleted(Tx tx, long repositoryId) {
        return tx.find(SELECT + " AND deleted_at IS NOT NULL", BundleRows::read, "repository", repositoryId);
    }

    /// Forgets what a bundle said of itself.
    public static void blank(Tx tx, Snapshot bundle) {
        update(
                tx,
                bundle.bundle().id(),
                new Profile(bundle.name().bundle().value(), null, null, null, null, null, null, List.of()));
        deprecate(tx, bundle.bundle().id(), null);
        Usage.add(tx, bundle.repository().id(), new Amounts(0, -1, 0));
    }

    /// @param deprecation null: not deprecated any more
    public static void deprecate(Tx tx, UUID id, @Nullable Deprecation deprecation) {
        tx.change(
                """
                        UPDATE bundle SET deprecation_message = :message, deprecation_replacement = :replacement,
                                          updated_at = :now
                        WHERE id = :id
                        """,
                "id",
                id,
                "message",
                deprecation == null ? null : deprecation.message(),
                "replacement",
                deprecation == null ? null : deprecation.replacement(),
                "now",
                tx.now());
    }

    /// The bundles of a namespace by slug, those after `after`. Without their README.
    ///
    /// @param all false: only public ones
    static List<Snapshot> list(Tx tx, Namespace namespace, boolean all, String after, int limit) {
        return tx.list(
                """
                        SELECT r.id AS repository_id, r.name AS slug, r.visibility, n.organization_id,
                               b.id, b.name, b.description, b.source_type, NULL AS readme_content, b.readme_format,
                               b.license, b.repository_url, b.homepage_url, b.keywords, b.deprecation_message,
                               b.deprecation_replacement, b.created_at, b.updated_at
                        FROM repository r JOIN namespace n ON n.name = r.namespace JOIN bundle b ON b.repository_id = r.id
                        WHERE r.namespace = :namespace AND r.name > :after AND b.deleted_at IS NULL
                          AND r.deleted_at IS NULL
                        """ + (all ? "" : " AND r.visibility = 'public'") + " ORDER BY r.name LIMIT :limit",
                row -> new Snapshot(
                        new Repository(
                                row.getLong("repository_id"),
                                new RepositoryName(namespace, BundleName.parse(row.getString("slug"))),
                                UUID.fromString(row.getString("organization_id")),
                                Visibility.parse(row.getString("visibility"))),
                        read(row)),
                "namespace",
                namespace,
                "after",
                after,
                "limit",
                limit);
    }

    private static BundleRow read(ResultSet row) throws SQLException {
        return new BundleRow(
                Columns.uuid(row, "id"),
                row.getString("name"),
                row.getString("description"),
                row.getString("source_type"),
                row.getString("readme_content"),
                row.getString("readme_format"),
                row.getString("license"),
                row.getString("repository_url"),
                row.getString("homepage_url"),
                row.getString("keywords"),
                row.getString("deprecation_message"),
                row.getString("deprecation_replacement"),
                Columns.instant(row, "created_at"),
                Columns.nullableInstant(row, "updated_at"));
    }
}
