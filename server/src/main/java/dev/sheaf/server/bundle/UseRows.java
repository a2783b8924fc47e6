package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Version;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The pulls of versions by kind of client, and by credential of the owning organization.
final class UseRows {
    /// How many credentials of an organization are kept for a version and day, so that keys made by the thousand do
    /// not make rows by the million.
    private static final int MOST_CREDENTIALS = 200;

    /// Whether a row says how many pulls came from outside. They must be enough; and at least two kinds of clients, or
    /// none, must keep silent about a version and day, or the number of its downloads would reveal the only one.
    private static final String TELLS =
            "(downloads - own >= " + BundleUse.FEW + " AND enough <> " + (ClientKind.values().length - 1) + ")";

    /// The rows of a bundle. The values are named as in [Asked].
    private static final String OF_BUNDLE = """
            (SELECT u.version_id, v.version, u.day, u.client, u.downloads, u.own,
                    COUNT(CASE WHEN u.downloads - u.own >= %d THEN 1 END)
                        OVER (PARTITION BY u.version_id, u.day) AS enough
             FROM version v JOIN version_client_day u ON u.version_id = v.id
             WHERE v.bundle_id = :bundle AND u.day BETWEEN :from AND :to%%s) counted
            """.formatted(BundleUse.FEW);

    /// A row says nothing to strangers if it does not tell; and nothing to anybody if nobody inside pulled, because
    /// such a row would reveal that somebody outside did.
    private static final String SAID = "(" + TELLS + " OR :inside = 1 AND own > 0)";

    private static final String CREDENTIALS = """
             FROM version v JOIN version_credential_day u ON u.version_id = v.id
             WHERE v.bundle_id = :bundle AND u.organization_id = :organization AND u.day BETWEEN :from AND :to%s
            """;

    private UseRows() {}

    /// What is asked for.
    ///
    /// @param inside 1 if the reader acts for the owning organization, else 0
    record Asked(UUID bundle, long from, long to, @Nullable UUID version, int inside) {
        private String sql(String pattern) {
            return pattern.formatted(version == null ? "" : " AND v.id = :version");
        }
    }

    /// Counts pulls of each version that has the manifest.
    static void add(Tx tx, DownloadRows.Place place, ClientKind kind, DownloadRows.Counted counted) {
        tx.later("""
                INSERT INTO version_client_day (version_id, day, client, downloads, own)
                SELECT id, :day, :client, :all, :own FROM version WHERE manifest_id = :id
                ON CONFLICT (version_id, day, client) DO UPDATE SET
                    downloads = version_client_day.downloads + excluded.downloads,
                    own = version_client_day.own + excluded.own
                """, place, counted, "client", kind.toString());
    }

    /// Notes the credential of a pull for each version that has the manifest.
    static void add(Tx tx, DownloadRows.Place place, ClientKind kind, OwnCredential credential) {
        tx.later("""
                INSERT INTO version_credential_day (version_id, day, credential, organization_id, client)
                SELECT v.id, :day, :actor, :organizationId, :client FROM version v
                WHERE v.manifest_id = :id AND (SELECT COUNT(*) FROM version_credential_day c
                                               WHERE c.version_id = v.id AND c.day = :day) < :most
                ON CONFLICT DO NOTHING
                """, place, credential, "client", kind.toString(), "most", MOST_CREDENTIALS);
    }

    static int remove(Tx tx, long before, int limit) {
        int kinds = tx.change("""
                DELETE FROM version_client_day WHERE (version_id, day, client) IN
                    (SELECT version_id, day, client FROM version_client_day
                     WHERE day < :before ORDER BY day LIMIT :limit)
                """, "before", before, "limit", limit);
        return kinds + tx.change("""
                DELETE FROM version_credential_day WHERE (version_id, day, credential) IN
                    (SELECT version_id, day, credential FROM version_credential_day
                     WHERE day < :before ORDER BY day LIMIT :limit)
                """, "before", before, "limit", limit - kinds);
    }

    /// A row as it is stored, and whether it tells the pulls from outside.
    record Stored(UUID versionId, Version version, long day, String client, long downloads, long own, boolean tells) {}

    /// Returns rows of a bundle that say something, the newest day first.
    static List<Stored> byClient(Tx tx, Asked asked, @Nullable UsePlace after, int limit) {
        String sql = "SELECT version_id, version, day, client, downloads, own, CASE WHEN " + TELLS
                + " THEN 1 ELSE 0 END AS tells FROM " + asked.sql(OF_BUNDLE) + "WHERE " + SAID
                + (after == null ? "" : " AND (day, version_id, client) < (:afterDay, :afterVersion, :afterName)")
                + " ORDER BY day DESC, version_id DESC, client DESC LIMIT :limit";
        return tx.list(sql, Stored.class, asked, UsePlace.values(after), "limit", limit);
    }

    /// A pull by a credential.
    record ByCredential(UUID versionId, Version version, long day, String client, String credential) {}

    /// Returns pulls of a bundle by credentials of an organization, the newest day first.
    static List<ByCredential> byCredential(Tx tx, Asked asked, UUID organization, @Nullable UsePlace after, int limit) {
        String sql = "SELECT u.version_id, v.version, u.day, u.client, u.credential" + asked.sql(CREDENTIALS)
                + (after == null
                        ? ""
                        : " AND (u.day, u.version_id, u.credential) < (:afterDay, :afterVersion, :afterName)")
                + " ORDER BY u.day DESC, u.version_id DESC, u.credential DESC LIMIT :limit";
        return tx.list(
                sql, ByCredential.class, asked, UsePlace.values(after), "organization", organization, "limit", limit);
    }

    /// Returns sums by kind of client, the largest first.
    static List<BundleUse.Sum> clients(Tx tx, Asked asked) {
        return tx.list(sums(asked, "client", ""), BundleUse.Sum.class, asked);
    }

    /// Returns sums by version, the largest first.
    static List<BundleUse.Sum> versions(Tx tx, Asked asked, int limit) {
        return tx.list(sums(asked, "version", " LIMIT :limit"), BundleUse.Sum.class, asked, "limit", limit);
    }

    /// @param of the column to sum up by
    private static String sums(Asked asked, String of, String limit) {
        String told = "CAST(SUM(CASE WHEN " + TELLS + " THEN downloads ELSE own END) AS BIGINT)";
        return "SELECT " + of + " AS name, " + told + " AS pulls, CAST(SUM(own) AS BIGINT) AS own FROM "
                + asked.sql(OF_BUNDLE) + "WHERE " + SAID + " GROUP BY " + of + " ORDER BY " + told + " DESC, " + of
                + limit;
    }

    /// Returns sums by credential, the largest first.
    static List<BundleUse.OfCredential> credentials(Tx tx, Asked asked, UUID organization, int limit) {
        String sql = "SELECT u.credential, COUNT(*) AS pulls, COUNT(DISTINCT u.version_id) AS versions,"
                + " MAX(u.day) AS last_day" + asked.sql(CREDENTIALS)
                + " GROUP BY u.credential ORDER BY COUNT(*) DESC, u.credential LIMIT :limit";
        return tx.list(sql, BundleUse.OfCredential.class, asked, "organization", organization, "limit", limit);
    }
}
