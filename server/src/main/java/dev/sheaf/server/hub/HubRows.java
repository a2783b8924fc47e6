package dev.sheaf.server.hub;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.bundle.Downloads;
import dev.sheaf.server.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/// The entries of the hub. Every look at them asks the repository and the bundle too, so that what is hidden or
/// deleted is not shown even where an entry is behind.
final class HubRows {
    private static final String VISIBLE = """
             e.listed = 1
              AND EXISTS (SELECT 1 FROM repository r WHERE r.id = e.repository_id AND r.visibility = 'public')
              AND NOT EXISTS (SELECT 1 FROM bundle d WHERE d.repository_id = e.repository_id AND d.deleted_at IS NOT NULL)
            """;

    private static final String SELECT = """
            SELECT e.repository_id, e.bundle_id, e.namespace, n.display_name, e.slug, e.name, e.summary, e.asset_types,
                   e.keywords, e.license, e.latest_version, e.created_at, e.published_at, e.updated_at, e.stars,
                   e.downloads, e.trending,
                   (SELECT COALESCE(SUM(w.downloads), 0) FROM download_day w
                    WHERE w.repository_id = e.repository_id AND w.day > :since) AS downloads_30d
            FROM hub_entry e JOIN namespace n ON n.name = e.namespace
            WHERE
            """;

    /// A repository as the access rule looks at it.
    record Target(long repositoryId, RepositoryName name, UUID organizationId, Visibility visibility)
            implements Access.Target {}

    /// What an entry shows of a bundle.
    ///
    /// @param title the name, as words to search
    /// @param assetTypes one on each line
    /// @param trending of a bundle that nobody has pulled yet
    record Entry(
            long repositoryId,
            UUID bundleId,
            Namespace namespace,
            BundleName slug,
            String title,
            String name,
            String summary,
            String assetTypes,
            String keywords,
            @Nullable String license,
            Version latestVersion,
            Instant createdAt,
            Instant publishedAt,
            Instant updatedAt,
            double trending) {}

    /// Some repositories: a sub-select of their ids, and the values that it names.
    ///
    /// @param indexed whether an index tells at once if a repository is among them; else they are all fetched for
    /// that
    record Among(String sql, Map<String, String> values, boolean indexed) {
        /// The condition that the entry `e` is among them, in a query that finds its entries in another way.
        String check() {
            return indexed
                    ? "EXISTS (SELECT 1 FROM (" + sql + ") s WHERE s.repository_id = e.repository_id)"
                    : "+e.repository_id IN (" + sql + ")";
        }

        void bind(SqlStatement<?> statement) {
            values.forEach(statement::bind);
        }
    }

    /// A page of a list in descending order.
    ///
    /// @param within the repositories to list must be among all of these; they are looked up from `few`, if that is
    /// there, which is not empty
    /// @param without and among none of these
    /// @param key the sorted column's value and the repository's id that the page begins after
    record Slice(
            Hub.Sort sort,
            @Nullable List<Long> few,
            List<Among> within,
            List<Among> without,
            long key,
            long repositoryId,
            int limit) {}

    private HubRows() {}

    static Optional<Target> target(Tx tx, long repositoryId) {
        return tx.find("""
                        SELECT r.id, r.namespace, r.name, r.visibility, n.organization_id
                        FROM repository r JOIN namespace n ON n.name = r.namespace WHERE r.id = :id
                        """, HubRows::target, "id", repositoryId);
    }

    /// The repository of that name, where the hub lists its bundle.
    static Optional<Target> listed(Tx tx, RepositoryName name) {
        return tx.find("""
                        SELECT r.id, r.namespace, r.name, r.visibility, n.organization_id
                        FROM hub_entry e JOIN repository r ON r.id = e.repository_id
                             JOIN namespace n ON n.name = r.namespace
                        WHERE e.slug = :slug AND e.namespace = :namespace AND
                        """ + VISIBLE, HubRows::target, "slug", name.bundle(), "namespace", name.namespace());
    }

    private static Target target(ResultSet row) throws SQLException {
        return new Target(
                row.getLong("id"),
                new RepositoryName(
                        Namespace.parse(row.getString("namespace")), BundleName.parse(row.getString("name"))),
                UUID.fromString(row.getString("organization_id")),
                Visibility.parse(row.getString("visibility")));
    }

    /// When a version of the bundle was last published, of those that are not yanked.
    static Instant lastPublished(Tx tx, UUID bundleId) {
        return tx.one(
                "SELECT max(published_at) FROM version WHERE bundle_id = :bundle AND state = 'published'",
                Instant.class,
                "bundle",
                bundleId);
    }

    /// Lists the repository's bundle, or lists it anew; its counters stay.
    static void show(Tx tx, Entry entry) {
        tx.change("""
                INSERT INTO hub_entry (repository_id, listed, bundle_id, namespace, slug, title, name, summary,
                                       asset_types, keywords, license, latest_version, created_at, published_at,
                                       updated_at, trending)
                VALUES (:repositoryId, 1, :bundleId, :namespace, :slug, :title, :name, :summary,
                        :assetTypes, :keywords, :license, :latestVersion, :createdAt, :publishedAt,
                        :updatedAt, :trending)
                ON CONFLICT (repository_id) DO UPDATE SET
                    listed = 1, bundle_id = excluded.bundle_id, namespace = excluded.namespace,
                    slug = excluded.slug, title = excluded.title, name = excluded.name,
                    summary = excluded.summary, asset_types = excluded.asset_types, keywords = excluded.keywords,
                    license = excluded.license, latest_version = excluded.latest_version,
                    created_at = excluded.created_at, published_at = excluded.published_at,
                    updated_at = excluded.updated_at,
                    trending = CASE WHEN hub_entry.trending < excluded.trending THEN excluded.trending
                                    ELSE hub_entry.trending END
                """, entry);
    }

    /// Takes the repository's bundle from the lists; false where it was on none.
    static boolean hide(Tx tx, long repositoryId) {
        return tx.change("UPDATE hub_entry SET listed = 0 WHERE repository_id = :id AND listed = 1", "id", repositoryId)
                == 1;
    }

    /// Sets what the repository is found under by filters.
    static void facets(Tx tx, long repositoryId, List<String> facets) {
        tx.change("DELETE FROM hub_facet WHERE repository_id = :id", "id", repositoryId);
        if (!facets.isEmpty()) {
            var batch = tx.handle().prepareBatch("INSERT INTO hub_facet (facet, repository_id) VALUES (:facet, :id)");
            facets.forEach(
                    facet -> batch.bind("facet", facet).bind("id", repositoryId).add());
            batch.execute();
        }
    }

    /// @param name of the value, another one for each facet of a list
    static Among having(String name, String facet) {
        return new Among("SELECT repository_id FROM hub_facet WHERE facet = :" + name, Map.of(name, facet), true);
    }

    /// The repositories whose bundle is called exactly what was typed.
    static Among named(SearchQuery search) {
        return new Among(
                """
                SELECT repository_id FROM hub_entry WHERE listed = 1 AND slug IN (:slug, :dashed) AND :space = ''
                UNION SELECT repository_id FROM hub_entry WHERE listed = 1 AND slug = :slug AND namespace = :space
                UNION SELECT repository_id FROM hub_entry WHERE listed = 1 AND title = :title AND :title <> ''
                """,
                Map.of(
                        "slug", search.slugs().getFirst(),
                        "dashed", search.slugs().getLast(),
                        "space", search.namespace(),
                        "title", search.title()),
                false);
    }

    /// The first of them, at most `limit`.
    static List<Long> some(Tx tx, Among among, int limit) {
        var query = tx.handle().createQuery(among.sql() + " LIMIT :limit").bind("limit", limit);
        among.bind(query);
        return query.mapTo(Long.class).list();
    }

    /// Where some of the sets is small, its entries are looked up and sorted, and a sum keeps the database from
    /// walking the index of the sort order for them. Else the index of the sort order is walked until the page is
    /// full: the plus keeps the database from looking up what is there in numbers.
    static List<Hub.Entry> list(Tx tx, Slice slice) {
        String column = slice.sort().column();
        var sql = new StringBuilder(SELECT)
                .append(VISIBLE)
                .append(" AND (e." + column + ", e.repository_id) < (:key, :id)");
        if (slice.few() != null) {
            sql.append(" AND e.repository_id IN (<few>)");
        }
        slice.within().forEach(set -> sql.append(" AND ").append(set.check()));
        slice.without().forEach(set -> sql.append(" AND NOT ").append(set.check()));
        sql.append(" ORDER BY e." + column + (slice.few() == null ? "" : " + 0")
                + " DESC, e.repository_id DESC LIMIT :limit");
        var query = tx.handle()
                .createQuery(sql.toString())
                .bind("since", since(tx))
                .bind("key", slice.key())
                .bind("id", slice.repositoryId())
                .bind("limit", slice.limit());
        if (slice.few() != null) {
            query.bindList("few", slice.few());
        }
        slice.within().forEach(set -> set.bind(query));
        slice.without().forEach(set -> set.bind(query));
        boolean walks = slice.few() == null && !slice.within().stream().allMatch(Among::indexed);
        return (walks ? tx.planned(query) : query)
                .map((row, context) -> entry(row))
                .list();
    }

    static Optional<Hub.Entry> find(Tx tx, long repositoryId) {
        return tx.find(
                SELECT + " e.repository_id = :id AND " + VISIBLE,
                HubRows::entry,
                "since",
                since(tx),
                "id",
                repositoryId);
    }

    private static long since(Tx tx) {
        return Downloads.day(tx.now().minus(Duration.ofDays(30)));
    }

    private static Hub.Entry entry(ResultSet row) throws SQLException {
        return new Hub.Entry(
                row.getLong("repository_id"),
                UUID.fromString(row.getString("bundle_id")),
                new RepositoryName(
                        Namespace.parse(row.getString("namespace")), BundleName.parse(row.getString("slug"))),
                row.getString("display_name"),
                row.getString("name"),
                row.getString("summary"),
                row.getString("asset_types").lines().toList(),
                row.getString("keywords").lines().toList(),
                row.getString("license"),
                row.getString("latest_version"),
                Instant.ofEpochMilli(row.getLong("created_at")),
                Instant.ofEpochMilli(row.getLong("updated_at")),
                new Hub.Counters(
                        row.getLong("stars"),
                        row.getLong("downloads"),
                        row.getLong("downloads_30d"),
                        row.getLong("trending"),
                        row.getLong("published_at")));
    }

    /// How many listed bundles have each of the facets that begin with `prefix`, by the rest of the facet.
    static Map<String, Long> counts(Tx tx, String prefix) {
        return tx.handle()
                .createQuery("""
                        SELECT facet, count(*) AS bundles FROM hub_facet
                        WHERE facet >= :prefix AND facet < :beyond GROUP BY facet
                        """)
                .bind("prefix", prefix)
                .bind("beyond", prefix + "~")
                .reduceRows(new HashMap<String, Long>(), (counts, row) -> {
                    counts.put(
                            row.getColumn("facet", String.class).substring(prefix.length()),
                            row.getColumn("bundles", Long.class));
                    return counts;
                });
    }

    /// The published versions of some listed bundles, the newest first.
    static List<Hub.Release> releases(Tx tx, List<Long> repositories, int limit) {
        return repositories.isEmpty()
                ? List.of()
                : tx.list("""
                                SELECT v.id, e.namespace, e.slug, e.name, v.version, v.published_at, v.deprecation_message
                                FROM hub_entry e JOIN version v ON v.bundle_id = e.bundle_id
                                WHERE e.repository_id IN (<repositories>) AND e.listed = 1 AND v.state = 'published'
                                ORDER BY v.id DESC LIMIT :limit
                                """, HubRows::release, "repositories", repositories, "limit", limit);
    }

    /// The published versions of a bundle, the highest first.
    static List<Hub.Release> versions(Tx tx, long repositoryId, int limit) {
        return tx.list("""
                        SELECT v.id, e.namespace, e.slug, e.name, v.version, v.published_at, v.deprecation_message
                        FROM hub_entry e JOIN version v ON v.bundle_id = e.bundle_id
                        WHERE e.repository_id = :id AND v.state = 'published' ORDER BY v.sort_key DESC LIMIT :limit
                        """, HubRows::release, "id", repositoryId, "limit", limit);
    }

    private static Hub.Release release(ResultSet row) throws SQLException {
        return new Hub.Release(
                UUID.fromString(row.getString("id")),
                new RepositoryName(
                        Namespace.parse(row.getString("namespace")), BundleName.parse(row.getString("slug"))),
                row.getString("name"),
                row.getString("version"),
                Instant.ofEpochMilli(row.getLong("published_at")),
                row.getString("deprecation_message"));
    }
}
