package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Tx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/// The sums of downloads that are no longer kept by day. They have the day 0, so that totals stay what they are.
final class PastDownloadRows {
    private record OfBundle(long id, long day, long downloads, long own) {
        OfBundle plus(OfBundle other) {
            return new OfBundle(id, day, downloads + other.downloads, own + other.own);
        }
    }

    private record OfVersion(UUID id, long day, long downloads, long own) {
        OfVersion plus(OfVersion other) {
            return new OfVersion(id, day, downloads + other.downloads, own + other.own);
        }
    }

    private PastDownloadRows() {}

    /// @param before in days since 1970
    static int addUp(Tx tx, long before, int limit) {
        int ofBundles = ofBundles(tx, before, limit);
        return ofBundles + ofVersions(tx, before, limit - ofBundles);
    }

    private static int ofBundles(Tx tx, long before, int limit) {
        var due = tx.list("""
                        SELECT repository_id AS id, day, downloads, own FROM download_day
                        WHERE day > 0 AND day < :before ORDER BY day, repository_id LIMIT :limit
                        """, OfBundle.class, "before", before, "limit", limit);
        tx.each("DELETE FROM download_day WHERE repository_id = :id AND day = :day", due);
        tx.each("""
                INSERT INTO download_day (repository_id, day, downloads, own) VALUES (:id, 0, :downloads, :own)
                ON CONFLICT (repository_id, day) DO UPDATE SET
                    downloads = download_day.downloads + excluded.downloads, own = download_day.own + excluded.own
                """, sums(due, OfBundle::id, OfBundle::plus));
        return due.size();
    }

    private static int ofVersions(Tx tx, long before, int limit) {
        var due = tx.list("""
                        SELECT version_id AS id, day, downloads, own FROM version_day
                        WHERE day > 0 AND day < :before ORDER BY day, version_id LIMIT :limit
                        """, OfVersion.class, "before", before, "limit", limit);
        tx.each("DELETE FROM version_day WHERE version_id = :id AND day = :day", due);
        tx.each("""
                INSERT INTO version_day (version_id, day, downloads, own) VALUES (:id, 0, :downloads, :own)
                ON CONFLICT (version_id, day) DO UPDATE SET
                    downloads = version_day.downloads + excluded.downloads, own = version_day.own + excluded.own
                """, sums(due, OfVersion::id, OfVersion::plus));
        return due.size();
    }

    private static <T> Iterable<T> sums(List<T> days, Function<T, Object> id, BinaryOperator<T> plus) {
        Map<Object, T> sums = new HashMap<>();
        days.forEach(day -> sums.merge(id.apply(day), day, plus));
        return sums.values();
    }
}
