package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/// The pulls of all bundles of an organization, for its report. Each statement walks the names in order and looks up
/// the days of each bundle or version by its key, so its cost grows with the versions and not with the days.
final class UseReportRows {
    private static final String LATEST = """
            (SELECT l.version FROM version l WHERE l.bundle_id = b.id AND l.state = 'published'
             ORDER BY l.stable DESC, l.sort_key DESC LIMIT 1)""";

    /// Whether a higher version is published that `latest` would not pass over.
    private static final String OLDER = """
            EXISTS (SELECT 1 FROM version l WHERE l.bundle_id = v.bundle_id AND l.stable >= v.stable
                    AND l.sort_key > v.sort_key AND l.state = 'published')""";

    private static final String DEPRECATED = "(v.deprecation_message IS NOT NULL OR b.deprecation_message IS NOT NULL)";

    private static final String FROM = """
             FROM namespace n JOIN repository r ON r.namespace = n.name AND r.deleted_at IS NULL
             JOIN bundle b ON b.repository_id = r.id AND b.deleted_at IS NULL
            """;

    private static final String OF = " WHERE n.organization_id = :organization ";

    /// First picks the versions of a page, then looks up more of these alone.
    private static final String VERSIONS = "SELECT page.id, page.namespace, page.bundle, v.id AS version_id, v.version,"
            + " v.sort_key AS key, " + LATEST + " AS latest, v.published_at, CASE WHEN " + OLDER
            + " THEN 1 ELSE 0 END AS is_older, CASE WHEN " + DEPRECATED + " THEN 1 ELSE 0 END AS is_deprecated,"
            + " CASE WHEN v.state = 'yanked' THEN 1 ELSE 0 END AS is_yanked,"
            + " CASE WHEN v.recalled_at IS NOT NULL THEN 1 ELSE 0 END AS is_recalled, %s"
            + " FROM (SELECT r.id, r.namespace, r.name AS bundle, v.id AS version_id" + FROM
            + " JOIN version v ON v.bundle_id = b.id" + OF
            + " AND (r.namespace, r.name, v.sort_key) > (:namespace, :bundle, :key) AND %s"
            + " ORDER BY r.namespace, r.name, v.sort_key LIMIT :limit) page"
            + " JOIN version v ON v.id = page.version_id JOIN bundle b ON b.id = v.bundle_id"
            + " ORDER BY page.namespace, page.bundle, v.sort_key";

    private static final String DAYS = "FROM version_day d WHERE d.version_id = v.id AND d.day >= :from";

    private UseReportRows() {}

    private static Instant start(long day) {
        return Instant.EPOCH.plus(Duration.ofDays(day));
    }

    /// Returns bundles without pulls from a day on, of which a version was published before.
    static List<UseReport.Row> bundles(Tx tx, UUID organization, long from, UseReport.Place after, int limit) {
        return tx.list(
                """
                        SELECT r.id, r.namespace, r.name AS bundle, NULL AS version_id, NULL AS version, '' AS key,
                               0 AS is_older, 0 AS is_deprecated, 0 AS is_yanked, 0 AS is_recalled, 0 AS pulls, 0 AS own,
                        """ + LATEST + """
                         AS latest, (SELECT MAX(v.published_at) FROM version v WHERE v.bundle_id = b.id) AS published_at
                        """ + FROM + OF + """
                         AND (r.namespace, r.name) > (:namespace, :bundle)
                         AND EXISTS (SELECT 1 FROM version v WHERE v.bundle_id = b.id AND v.published_at < :start)
                         AND NOT EXISTS (SELECT 1 FROM download_day d WHERE d.repository_id = r.id AND d.day >= :from)
                         ORDER BY r.namespace, r.name LIMIT :limit
                        """,
                UseReport.Row.class,
                after,
                "organization",
                organization,
                "from",
                from,
                "start",
                start(from),
                "limit",
                limit);
    }

    /// Returns versions without pulls from a day on that were published before and are not yanked.
    static List<UseReport.Row> unused(Tx tx, UUID organization, long from, UseReport.Place after, int limit) {
        String sql = VERSIONS.formatted(
                "0 AS pulls, 0 AS own",
                "v.state = 'published' AND v.published_at < :start AND NOT EXISTS (SELECT 1 " + DAYS + ")");
        return tx.list(
                sql,
                UseReport.Row.class,
                after,
                "organization",
                organization,
                "from",
                from,
                "start",
                start(from),
                "limit",
                limit);
    }

    /// Returns versions with pulls from a day on that are not the latest, or should not be used for another reason.
    static List<UseReport.Row> old(Tx tx, UUID organization, long from, UseReport.Place after, int limit) {
        String sql = VERSIONS.formatted(
                "(SELECT CAST(SUM(d.downloads) AS BIGINT) " + DAYS + ") AS pulls, (SELECT CAST(SUM(d.own) AS BIGINT) "
                        + DAYS + ") AS own",
                "EXISTS (SELECT 1 " + DAYS + ") AND (v.state <> 'published' OR " + DEPRECATED + " OR " + OLDER + ")");
        return tx.list(sql, UseReport.Row.class, after, "organization", organization, "from", from, "limit", limit);
    }

    /// Returns the last day with pulls of repositories.
    static Map<Long, Long> lastOfBundles(Tx tx, Collection<Long> repositories) {
        return tx.map(
                "SELECT repository_id, MAX(day) FROM download_day WHERE repository_id IN (<ids>) GROUP BY repository_id",
                Long.class,
                Long.class,
                "ids",
                repositories);
    }

    /// Returns the last day with pulls of versions.
    static Map<UUID, Long> lastOfVersions(Tx tx, Collection<UUID> versions) {
        return tx.map(
                "SELECT version_id, MAX(day) FROM version_day WHERE version_id IN (<ids>) GROUP BY version_id",
                UUID.class,
                Long.class,
                "ids",
                versions);
    }

    /// Returns the busiest credentials of an organization for each of some versions.
    static Map<UUID, List<UseReport.ByCredential>> credentials(
            Tx tx, UUID organization, long from, Collection<UUID> versions) {
        return tx
                .list(
                        """
                        SELECT version_id, credential, pulls, last_day FROM
                            (SELECT version_id, credential, COUNT(*) AS pulls, MAX(day) AS last_day,
                                    ROW_NUMBER() OVER (PARTITION BY version_id ORDER BY COUNT(*) DESC, credential) AS place
                             FROM version_credential_day
                             WHERE version_id IN (<ids>) AND day >= :from AND organization_id = :organization
                             GROUP BY version_id, credential) busy
                        WHERE place <= :most ORDER BY version_id, place
                        """,
                        UseReport.ByCredential.class,
                        "ids",
                        versions,
                        "from",
                        from,
                        "organization",
                        organization,
                        "most",
                        UseReport.MOST_CREDENTIALS)
                .stream()
                .collect(Collectors.groupingBy(UseReport.ByCredential::versionId));
    }
}
