package dev.sheaf.server.hub;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.passport.Severity;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RepositoryRows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The rows of hub entries. Every query also checks the repository and the bundle, so that hidden or deleted
/// bundles are not shown even if an entry is outdated.
final class HubRows {
    private static final String VISIBLE = """
             e.listed = 1
              AND EXISTS (SELECT 1 FROM repository r WHERE r.id = e.repository_id AND r.visibility = 'public')
              AND NOT EXISTS (SELECT 1 FROM bundle d WHERE d.repository_id = e.repository_id AND d.deleted_at IS NOT NULL)
            """;

    private static final String SELECT = """
            SELECT e.repository_id, e.bundle_id, e.namespace, n.display_name AS publisher, e.slug AS bundle, e.name, e.summary, e.asset_types,
                   e.keywords, e.license, e.latest_version, e.created_at, e.published_at, e.updated_at, e.stars,
                   e.downloads, e.trending, coalesce(e.skills, '') AS skills, e.skill_tools, e.findings, e.finding_codes, e.worst_finding,
                   e.read_extent, e.stalks, e.deprecated AS is_deprecated, e.replacement, e.yanked_version, e.servers,
                   CASE WHEN EXISTS (SELECT 1 FROM signature g
                                     WHERE g.repository_id = e.repository_id AND g.subject_digest = e.latest_digest
                                      AND g.signer IS NOT NULL) THEN 1 ELSE 0 END AS is_signed,
                   (SELECT max(substr(f.facet, 9)) FROM hub_facet f
                    WHERE f.facet IN ('scripts:none', 'scripts:some') AND f.repository_id = e.repository_id) AS scripts,
                   (SELECT COALESCE(SUM(w.downloads), 0) FROM download_day w
                    WHERE w.repository_id = e.repository_id AND w.day > :since) AS downloads30d
            FROM hub_entry e JOIN namespace n ON n.name = e.namespace
            WHERE
            """;

    /// The entry of a bundle.
    ///
    /// @param title the words of the name, for searches
    /// @param assetTypes one per line
    /// @param trending the initial value for a bundle without pulls
    /// @param skills the names of the installable skills, one per line
    /// @param skillTools the tools that they ask for, one per line
    /// @param skillsDigest the digest of their rows; empty if there are none
    /// @param yankedVersion the highest version above the latest one that is yanked; null if there is none
    /// @param servers the MCP servers of a plugin, one per line: the name, a tab and what it runs
    /// @param stalks see [HubStalks]
    record Row(
            long repositoryId,
            UUID bundleId,
            RepositoryName ref,
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
            long trending,
            String skills,
            Digest latestDigest,
            String skillTools,
            String skillsDigest,
            Risk risk,
            boolean deprecated,
            @Nullable String replacement,
            @Nullable Version yankedVersion,
            String servers,
            String stalks) {}

    /// The risk of the latest version.
    ///
    /// @param findingCodes the kinds of the findings, one per line
    /// @param worstFinding null if there is none
    /// @param readExtent how much of the version was read
    record Risk(int findings, String findingCodes, @Nullable Severity worstFinding, String readExtent) {
        static Risk of(VersionRisk risk) {
            return new Risk(
                    risk.findings(),
                    String.join("\n", risk.kinds()),
                    risk.worst(),
                    risk.extent().toString());
        }
    }

    /// A set of repositories: a sub-select of their ids, and its parameters as name, value, name, value…
    ///
    /// @param indexed whether an index can find a single repository in the set; otherwise the whole set is read
    record Among(String sql, List<String> values, boolean indexed) {
        /// Returns the SQL condition that the entry `e` is in the set.
        String check() {
            return indexed
                    ? "EXISTS (SELECT 1 FROM (" + sql + ") s WHERE s.repository_id = e.repository_id)"
                    : "+e.repository_id IN (" + sql + ")";
        }

        /// Returns the SQL condition that the facet `f` is one of the set.
        String checkOfFacet() {
            return indexed
                    ? "EXISTS (SELECT 1 FROM (" + sql + ") s WHERE s.repository_id = f.repository_id)"
                    : "f.repository_id IN (" + sql + ")";
        }
    }

    /// A page of a list in descending order.
    ///
    /// @param few the repositories to look up, not empty; null to walk the index of the sort order
    /// @param within sets that all must contain the repository
    /// @param without sets that must not contain the repository
    /// @param key the value of the sort column after which the page begins; entries with the same value are
    /// ordered by `repositoryId`
    record Slice(
            Hub.Sort sort,
            @Nullable List<Long> few,
            List<Among> within,
            List<Among> without,
            long key,
            long repositoryId,
            int limit) {}

    private HubRows() {}

    static Optional<Repository> repository(Tx tx, long id) {
        return tx.find("""
                SELECT r.id, r.namespace, r.name AS bundle, r.visibility, n.organization_id,
                """ + RepositoryRows.CLOSED + """
                FROM repository r JOIN namespace n ON n.name = r.namespace WHERE r.id = :id
                """, Repository.class, "id", id);
    }

    /// Returns the repository of that name if the hub lists its bundle.
    static Optional<Repository> listed(Tx tx, RepositoryName name) {
        return tx.find("""
                SELECT r.id, r.namespace, r.name AS bundle, r.visibility, n.organization_id,
                """ + RepositoryRows.CLOSED + """
                FROM hub_entry e JOIN repository r ON r.id = e.repository_id JOIN namespace n ON n.name = r.namespace
                WHERE e.slug = :bundle AND e.namespace = :namespace AND
                """ + VISIBLE, Repository.class, name);
    }

    /// Returns when a version of the bundle was last published, not counting yanked ones.
    static Instant lastPublished(Tx tx, UUID bundleId) {
        return tx.one(
                """
                        SELECT max(published_at) FROM version WHERE bundle_id = :bundle AND state = 'published'
                        AND substr(bundle_id, 1, 13) = substr(:bundle, 1, 13)
                        """, // as the index has them
                Instant.class,
                "bundle",
                bundleId);
    }

    /// Lists the repository's bundle, or updates its entry; the counters stay.
    static void show(Tx tx, Row entry) {
        tx.later("""
                INSERT INTO hub_entry (repository_id, listed, bundle_id, namespace, slug, title, name, summary,
                                       asset_types, keywords, license, latest_version, created_at, published_at,
                                       updated_at, trending, skills, facts_of, latest_digest, skill_tools, skills_digest, findings,
                                       finding_codes, worst_finding, read_extent, deprecated, replacement, yanked_version, servers, stalks)
                VALUES (:repositoryId, 1, :bundleId, :namespace, :bundle, :title, :name, :summary,
                        :assetTypes, :keywords, :license, :latestVersion, :createdAt, :publishedAt,
                        :updatedAt, :trending, :skills, :latestVersion, :latestDigest, :skillTools, :skillsDigest, :findings,
                        :findingCodes, :worstFinding, :readExtent, :deprecated, :replacement, :yankedVersion, :servers, :stalks)
                ON CONFLICT (repository_id) DO UPDATE SET
                    listed = 1, bundle_id = excluded.bundle_id, namespace = excluded.namespace,
                    slug = excluded.slug, title = excluded.title, name = excluded.name,
                    summary = excluded.summary, asset_types = excluded.asset_types, keywords = excluded.keywords,
                    license = excluded.license, latest_version = excluded.latest_version,
                    created_at = excluded.created_at, published_at = excluded.published_at,
                    updated_at = excluded.updated_at, skills = excluded.skills, facts_of = excluded.facts_of,
                    latest_digest = excluded.latest_digest, skill_tools = excluded.skill_tools,
                    skills_digest = excluded.skills_digest,
                    findings = excluded.findings, finding_codes = excluded.finding_codes,
                    worst_finding = excluded.worst_finding, read_extent = excluded.read_extent,
                    deprecated = excluded.deprecated, replacement = excluded.replacement,
                    yanked_version = excluded.yanked_version, servers = excluded.servers, stalks = excluded.stalks,
                    trending = CASE WHEN hub_entry.trending < excluded.trending THEN excluded.trending
                                    ELSE hub_entry.trending END
                """, entry);
    }

    /// Updates the risk of a bundle whose latest version is this one, and the facets that depend on it.
    static void keep(Tx tx, UUID bundleId, Version version, VersionRisk verdict) {
        var risk = Risk.of(verdict);
        tx.later("""
                UPDATE hub_entry SET findings = :findings, finding_codes = :findingCodes, worst_finding = :worstFinding,
                                     read_extent = :readExtent
                WHERE repository_id = (SELECT b.repository_id FROM bundle b WHERE b.id = :bundle)
                 AND latest_version = :version
                """, risk, "bundle", bundleId, "version", version);
        tx.later("""
                DELETE FROM hub_facet WHERE facet IN (<facets>) AND repository_id IN (
                    SELECT e.repository_id FROM hub_entry e JOIN bundle b ON b.repository_id = e.repository_id
                    WHERE b.id = :bundle AND e.latest_version = :version)
                """, "facets", HubFacet.ofVerdicts(), "bundle", bundleId, "version", version);
        for (String facet : HubFacet.of(verdict)) {
            tx.later("""
                    INSERT INTO hub_facet (facet, repository_id)
                    SELECT :facet, e.repository_id FROM hub_entry e JOIN bundle b ON b.repository_id = e.repository_id
                    WHERE b.id = :bundle AND e.latest_version = :version AND e.listed = 1
                    """, "facet", facet, "bundle", bundleId, "version", version);
        }
    }

    static PipelineAnswer<Optional<HubIndex.Entry>> entry(Tx tx, long repositoryId) {
        return tx.soon("""
                        SELECT e.listed AS is_listed, e.published_at, e.yanked_version, e.skills_digest,
                               coalesce((SELECT string_agg(f.facet, :line) FROM hub_facet f
                                         WHERE f.repository_id = e.repository_id), '') AS facets
                        FROM hub_entry e WHERE e.repository_id = :id
                        """, HubIndex.Entry.class, "id", repositoryId, "line", "\n")
                .map(rows -> rows.stream().findFirst());
    }

    /// Removes the repository's bundle from the lists. Returns false if it was not listed.
    static boolean hide(Tx tx, long repositoryId) {
        return tx.change(
                        "UPDATE hub_entry SET listed = 0, skills_digest = '' WHERE repository_id = :id AND listed = 1",
                        "id",
                        repositoryId)
                == 1;
    }

    /// Sets the facets by which filters find the repository.
    static void facets(Tx tx, long repositoryId, List<String> facets) {
        tx.later("DELETE FROM hub_facet WHERE repository_id = :id", "id", repositoryId);
        tx.laterEach("INSERT INTO hub_facet (facet, repository_id) VALUES (:each, :id)", facets, "id", repositoryId);
    }

    /// Returns the repositories with a facet.
    static Among having(HubFacet kind, String value) {
        String name = kind.name().toLowerCase(Locale.ROOT);
        return new Among(
                "SELECT repository_id FROM hub_facet WHERE facet = :" + name, List.of(name, kind.of(value)), true);
    }

    /// Returns the repositories of whose latest version this is true.
    static Among having(HubFlag flag) {
        String name = flag.toString();
        return flag == HubFlag.SIGNED
                ? signed()
                : new Among(
                        "SELECT repository_id FROM hub_facet WHERE facet = :" + name,
                        List.of(name, HubFacet.FLAG.of(name)),
                        true);
    }

    private static Among signed() {
        return new Among("""
                SELECT x.repository_id FROM signature g
                JOIN hub_entry x ON x.repository_id = g.repository_id AND x.latest_digest = g.subject_digest
                WHERE g.signer IS NOT NULL AND x.listed = 1
                """, List.of(), true);
    }

    /// Returns the repositories in any of the sets, which are not indexed.
    static Among any(List<Among> sets) {
        return new Among(
                sets.stream().map(Among::sql).collect(Collectors.joining(" UNION ")),
                sets.stream().flatMap(set -> set.values().stream()).toList(),
                false);
    }

    /// Returns the repositories whose bundle has exactly the name in the search.
    static Among named(SearchQuery search) {
        return new Among(
                """
                SELECT repository_id FROM hub_entry WHERE listed = 1 AND slug IN (:slug, :dashed) AND :space = ''
                UNION SELECT repository_id FROM hub_entry WHERE listed = 1 AND slug = :slug AND namespace = :space
                UNION SELECT repository_id FROM hub_entry WHERE listed = 1 AND title = :title AND :title <> ''
                """,
                List.of(
                        "slug", search.slugs().getFirst(),
                        "dashed", search.slugs().getLast(),
                        "space", search.namespace(),
                        "title", search.title()),
                false);
    }

    /// Returns at most `limit` repositories of the set.
    static List<Long> some(Tx tx, Among among, int limit) {
        var values = new ArrayList<Object>(among.values());
        values.addAll(List.of("limit", limit));
        return tx.list(among.sql() + " LIMIT :limit", Long.class, values.toArray());
    }

    /// Returns a page of entries. If one of the sets is small, its entries are looked up and sorted; `+ 0`
    /// prevents the database from using the index of the sort order. Otherwise the index of the sort order is
    /// walked until the page is full; the unary plus prevents the database from looking up large sets.
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
        var values = new ArrayList<Object>(
                List.of("since", since(tx), "key", slice.key(), "id", slice.repositoryId(), "limit", slice.limit()));
        if (slice.few() != null) {
            values.addAll(List.of("few", slice.few()));
        }
        slice.within().forEach(set -> values.addAll(set.values()));
        slice.without().forEach(set -> values.addAll(set.values()));
        boolean walks = slice.few() == null && !slice.within().stream().allMatch(Among::indexed);
        return walks
                ? tx.planned(sql.toString(), Hub.Entry.class, values.toArray())
                : tx.list(sql.toString(), Hub.Entry.class, values.toArray());
    }

    static Optional<Hub.Entry> find(Tx tx, long repositoryId) {
        return tx.find(
                SELECT + " e.repository_id = :id AND " + VISIBLE,
                Hub.Entry.class,
                "since",
                since(tx),
                "id",
                repositoryId);
    }

    static List<Hub.Entry> entries(Tx tx, List<Long> repositories) {
        return tx.list(
                SELECT + " e.repository_id IN (<ids>) AND " + VISIBLE,
                Hub.Entry.class,
                "since",
                since(tx),
                "ids",
                repositories);
    }

    static List<Hub.Publisher> publishers(Tx tx, String from, int limit) {
        return tx.list(
                """
                SELECT DISTINCT n.name, n.display_name FROM hub_entry e JOIN namespace n ON n.name = e.namespace
                WHERE e.namespace >= :from AND
                """ + VISIBLE + " ORDER BY n.name LIMIT :limit", Hub.Publisher.class, "from", from, "limit", limit);
    }

    static List<Hub.Extent> extents(Tx tx, Namespace namespace, String from, int limit) {
        return tx.list(
                """
                SELECT e.slug, (SELECT count(*) FROM version v
                                WHERE v.bundle_id = e.bundle_id AND v.state = 'published') AS versions,
                       (SELECT count(*) FROM hub_skill s WHERE s.repository_id = e.repository_id) AS skills
                FROM hub_entry e WHERE e.namespace = :namespace AND e.slug >= :from AND
                """ + VISIBLE + " ORDER BY e.slug LIMIT :limit",
                Hub.Extent.class,
                "namespace",
                namespace.value(),
                "from",
                from,
                "limit",
                limit);
    }

    /// Returns listed bundles whose entries were written by an older program.
    static List<Long> withoutFacts(Tx tx, int limit) {
        return tx.list(
                "SELECT repository_id FROM hub_entry"
                        + " WHERE listed = 1 AND (facts_of IS NULL OR facts_of <> latest_version) LIMIT :limit",
                Long.class,
                "limit",
                limit);
    }

    private static long since(Tx tx) {
        return PullCounts.day(tx.now().minus(Duration.ofDays(30)));
    }

    /// The number of listed bundles with a facet.
    record Count(String facet, long bundles) {}

    /// What is counted.
    ///
    /// @param from the first facet
    /// @param to the facet after the last
    /// @param few the repositories to look at; null for all
    /// @param within sets that all must contain the repository
    /// @param most the number of repositories that are looked at, if `few` is null; 0 for all
    record Counted(String from, String to, @Nullable List<Long> few, List<Among> within, int most) {}

    /// Returns the number of listed bundles for each facet. Rows of facets exist only for listed bundles.
    static List<Count> counts(Tx tx, Counted counted) {
        var sql = new StringBuilder(
                "SELECT f.facet, count(*) AS bundles FROM hub_facet f WHERE f.facet >= :from" + " AND f.facet < :to");
        var values = new ArrayList<Object>(List.of("from", counted.from(), "to", counted.to()));
        if (counted.few() != null) {
            sql.append(" AND f.repository_id IN (<few>)");
            values.addAll(List.of("few", counted.few()));
        } else if (counted.most() > 0) {
            sql.append(" AND f.repository_id IN (SELECT repository_id FROM hub_entry WHERE listed = 1"
                    + " ORDER BY downloads DESC, repository_id DESC LIMIT :most)");
            values.addAll(List.of("most", counted.most()));
        }
        for (var set : counted.within()) {
            sql.append(" AND ").append(set.checkOfFacet());
            values.addAll(set.values());
        }
        sql.append(" GROUP BY f.facet");
        return tx.planned(sql.toString(), Count.class, values.toArray());
    }

    /// Returns the number of listed bundles with a signature of their latest version.
    static long countSigned(Tx tx, Counted counted) {
        var all = new ArrayList<>(counted.within());
        all.add(signed());
        var only =
                new Counted(HubFacet.NAMESPACE.prefix(), HubFacet.NAMESPACE.end(), counted.few(), all, counted.most());
        return counts(tx, only).stream().mapToLong(Count::bundles).sum();
    }

    /// Returns whether more bundles are listed than that.
    static boolean hasMore(Tx tx, int most) {
        return tx.has("SELECT 1 FROM hub_entry WHERE listed = 1 LIMIT 1 OFFSET :most", "most", most);
    }

    /// Returns the one of some facets that most bundles have; empty if none has any.
    static Optional<String> mostFrequent(Tx tx, List<String> facets) {
        return tx.list("""
                        SELECT facet, count(*) AS bundles FROM hub_facet WHERE facet IN (<facets>)
                        GROUP BY facet ORDER BY bundles DESC, facet LIMIT 1
                        """, Count.class, "facets", facets).stream()
                .map(Count::facet)
                .findFirst();
    }

    private static final String RELEASE = """
            SELECT v.id, e.namespace, e.slug AS bundle, e.name, v.version, v.published_at,
                   v.deprecation_message AS deprecated, v.message
            FROM hub_entry e JOIN version v ON v.bundle_id = e.bundle_id
            WHERE v.state = 'published'
            """;

    /// Returns the published versions of some listed bundles, newest first.
    static List<Hub.Release> releases(Tx tx, List<Long> repositories, int limit) {
        return repositories.isEmpty()
                ? List.of()
                : tx.list(
                        RELEASE + " AND e.repository_id IN (<ids>) AND e.listed = 1 ORDER BY v.id DESC LIMIT :limit",
                        Hub.Release.class,
                        "ids",
                        repositories,
                        "limit",
                        limit);
    }

    /// Returns the published versions of a bundle, highest first.
    static List<Hub.Release> versions(Tx tx, long repositoryId, int limit) {
        return tx.list(
                RELEASE + " AND e.repository_id = :id ORDER BY v.sort_key DESC LIMIT :limit",
                Hub.Release.class,
                "id",
                repositoryId,
                "limit",
                limit);
    }
}
