package dev.sheaf.server.org.quota;

import dev.sheaf.engine.db.ColumnReader;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.org.OrganizationUsage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class UsageRows {
    private static final String SUM = """
            SELECT COALESCE(SUM(bytes), 0) AS bytes, COALESCE(SUM(bundles), 0) AS bundles,
                   COALESCE(SUM(versions), 0) AS versions
            FROM usage_delta WHERE organization_id = :organization
            """;

    /// Returns the sum of the content's rows and the recorded usage. One statement reads both, so they come
    /// from the same state of the database, even during writes.
    private static final String COUNT = """
            SELECT o.id, o.handle,
                   (SELECT COALESCE(SUM(b.size), 0) FROM namespace n JOIN repository r ON r.namespace = n.name
                    JOIN link l ON l.repository_id = r.id JOIN blob b ON b.id = l.blob_id
                    WHERE n.organization_id = o.id)
                 + (SELECT COALESCE(SUM(m.size), 0) FROM namespace n JOIN repository r ON r.namespace = n.name
                    JOIN manifest m ON m.repository_id = r.id WHERE n.organization_id = o.id) AS bytes,
                   (SELECT count(*) FROM namespace n JOIN repository r ON r.namespace = n.name
                    JOIN bundle u ON u.repository_id = r.id
                    WHERE n.organization_id = o.id AND r.purged_at IS NULL) AS bundles,
                   (SELECT count(*) FROM namespace n JOIN repository r ON r.namespace = n.name
                    JOIN bundle u ON u.repository_id = r.id JOIN version v ON v.bundle_id = u.id
                    WHERE n.organization_id = o.id) AS versions,
                   (SELECT COALESCE(SUM(d.bytes), 0) FROM usage_delta d
                    WHERE d.organization_id = o.id) AS recorded_bytes,
                   (SELECT COALESCE(SUM(d.bundles), 0) FROM usage_delta d
                    WHERE d.organization_id = o.id) AS recorded_bundles,
                   (SELECT COALESCE(SUM(d.versions), 0) FROM usage_delta d
                    WHERE d.organization_id = o.id) AS recorded_versions
            FROM organization o WHERE o.id = :organization
            """;

    private UsageRows() {}

    /// The organization that owns a repository, and its quota.
    record Owner(UUID id, QuotaOverride override) {}

    /// Records a change of the usage of a repository's owner. Returns the owner and its quota, which saves a
    /// query.
    static Owner append(Tx tx, long repositoryId, UsageAmounts more) {
        record Owned(
                UUID organizationId,
                @Nullable Long bytes,
                @Nullable Long bundles,
                @Nullable Long versions) {}
        var owned = tx.one("""
                INSERT INTO usage_delta (organization_id, bytes, bundles, versions, created_at)
                SELECT n.organization_id, :bytes, :bundles, :versions, :now
                FROM repository r JOIN namespace n ON n.name = r.namespace WHERE r.id = :repository
                """ + tx.dialect().keyShare() + """
                 RETURNING organization_id,
                    (SELECT quota_bytes FROM organization o WHERE o.id = usage_delta.organization_id) AS bytes,
                    (SELECT quota_bundles FROM organization o WHERE o.id = usage_delta.organization_id) AS bundles,
                    (SELECT quota_versions FROM organization o WHERE o.id = usage_delta.organization_id) AS versions
                """, Owned.class, more, "repository", repositoryId);
        return new Owner(owned.organizationId(), new QuotaOverride(owned.bytes(), owned.bundles(), owned.versions()));
    }

    /// Returns the usage of a namespace, counted from its rows.
    public static UsageAmounts ofNamespace(Tx tx, Namespace name) {
        return tx.one("""
                        SELECT (SELECT COALESCE(SUM(b.size), 0) FROM repository r
                                JOIN link l ON l.repository_id = r.id JOIN blob b ON b.id = l.blob_id
                                WHERE r.namespace = :name)
                             + (SELECT COALESCE(SUM(m.size), 0) FROM repository r
                                JOIN manifest m ON m.repository_id = r.id WHERE r.namespace = :name) AS bytes,
                               (SELECT count(*) FROM repository r JOIN bundle u ON u.repository_id = r.id
                                WHERE r.namespace = :name AND r.purged_at IS NULL) AS bundles,
                               (SELECT count(*) FROM repository r JOIN bundle u ON u.repository_id = r.id
                                JOIN version v ON v.bundle_id = u.id WHERE r.namespace = :name) AS versions
                        """, UsageAmounts.class, "name", name);
    }

    public static void insert(Tx tx, UUID organizationId, UsageAmounts more) {
        tx.change("""
                INSERT INTO usage_delta (organization_id, bytes, bundles, versions, created_at)
                VALUES (:organization, :bytes, :bundles, :versions, :now)
                """, more, "organization", organizationId);
    }

    /// Returns the open uploads of an organization.
    static OrganizationUsage.Uploads uploads(Tx tx, UUID organizationId) {
        return tx.one("""
                        SELECT count(*) AS open, COALESCE(SUM(written), 0) AS bytes
                        FROM upload WHERE organization_id = :organization AND expires_at > :now
                        """, OrganizationUsage.Uploads.class, "organization", organizationId);
    }

    /// Returns the usage that counts against the quota: the stored content and the received bytes of open
    /// uploads.
    static UsageAmounts counted(Tx tx, UUID organizationId) {
        return sum(tx, organizationId)
                .plus(UsageAmounts.ofBytes(uploads(tx, organizationId).bytes()));
    }

    /// Returns the current usage of an organization.
    static UsageAmounts sum(Tx tx, UUID organizationId) {
        return tx.one(SUM, UsageAmounts.class, "organization", organizationId);
    }

    /// Returns the usage of an organization, counted from its rows, and the recorded usage.
    static QuotaCheck.Recount count(Tx tx, UUID organizationId) {
        return tx.one(
                COUNT,
                row -> new QuotaCheck.Recount(
                        ColumnReader.uuid(row, "id"),
                        row.getString("handle"),
                        amounts(row, ""),
                        amounts(row, "recorded_")),
                "organization",
                organizationId);
    }

    private static UsageAmounts amounts(ResultSet row, String prefix) throws SQLException {
        return new UsageAmounts(
                row.getLong(prefix + "bytes"), row.getLong(prefix + "bundles"), row.getLong(prefix + "versions"));
    }

    /// Returns organizations with more than this many recorded changes.
    static List<UUID> crowded(Tx tx, int rows) {
        return tx.list("""
                        SELECT organization_id FROM usage_delta GROUP BY organization_id HAVING count(*) > :rows
                        """, UUID.class, "rows", rows);
    }

    private record Row(long id, UsageAmounts amounts) {}

    /// Replaces the oldest recorded changes of an organization with their sum, except changes that another node
    /// is replacing. Returns the number of replaced changes.
    static int fold(Tx tx, UUID organizationId, int limit) {
        var rows = tx.list("""
                        SELECT id, bytes, bundles, versions FROM usage_delta WHERE organization_id = :organization
                        ORDER BY id LIMIT :limit
                        """ + tx.dialect().skipLocked(), Row.class, "organization", organizationId, "limit", limit);
        if (rows.size() > 1) {
            var ids = new ArrayList<Long>();
            var sum = UsageAmounts.NONE;
            for (Row row : rows) {
                ids.add(row.id());
                sum = sum.plus(row.amounts());
            }
            tx.change("DELETE FROM usage_delta WHERE id IN (<ids>)", "ids", ids);
            insert(tx, organizationId, sum);
        }
        return rows.size();
    }

    public static QuotaOverride override(Tx tx, UUID id) {
        return tx.one(
                "SELECT quota_bytes AS bytes, quota_bundles AS bundles, quota_versions AS versions"
                        + " FROM organization WHERE id = :id",
                QuotaOverride.class,
                "id",
                id);
    }

    static void setOverride(Tx tx, UUID id, QuotaOverride quota) {
        tx.change("""
                        UPDATE organization
                        SET quota_bytes = :bytes, quota_bundles = :bundles, quota_versions = :versions WHERE id = :id
                        """, quota, "id", id);
    }
}
