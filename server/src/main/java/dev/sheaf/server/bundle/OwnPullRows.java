package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Tx;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The pulls of an organization's bundles.
final class OwnPullRows {
    private OwnPullRows() {}

    /// Returns the pulls of all bundles of an organization on each day with pulls, oldest first.
    static List<PullCounts.Day> days(Tx tx, UUID organization, long from, long to) {
        return tx.list("""
                SELECT d.day, sum(d.downloads) AS downloads, sum(d.own) AS own
                FROM namespace n JOIN repository r ON r.namespace = n.name JOIN download_day d ON d.repository_id = r.id
                WHERE n.organization_id = :organization AND d.day BETWEEN :from AND :to GROUP BY d.day ORDER BY d.day
                """, PullCounts.Day.class, "organization", organization, "from", from, "to", to);
    }

    /// Returns the pulls of some repositories from a day on, by their ids.
    static Map<Long, Long> since(Tx tx, Collection<Long> repositories, long from) {
        return tx.map("""
                SELECT repository_id, sum(downloads) FROM download_day
                WHERE repository_id IN (<repositories>) AND day >= :from GROUP BY repository_id
                """, Long.class, Long.class, "repositories", repositories, "from", from);
    }
}
