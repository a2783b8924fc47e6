package dev.sheaf.server.bundle;

import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

final class DownloadRows {
    /// A pull of a version by a client, stored under a pseudonym. Sorted, so that all nodes write in the same order.
    ///
    /// @param own whether the client belongs to the organization that owns the bundle
    record Pull(long manifestId, long day, String client, boolean own) implements Comparable<Pull> {
        private static final Comparator<Pull> ORDER = Comparator.comparingLong(Pull::manifestId)
                .thenComparingLong(Pull::day)
                .thenComparing(Pull::client)
                .thenComparing(Pull::own);

        Pull by(String other) {
            return new Pull(manifestId, day, other, own);
        }

        @Override
        public int compareTo(Pull other) {
            return ORDER.compare(this, other);
        }
    }

    private record Day(long repositoryId, long day) {}

    private record Counted(long all, long own) {
        Counted plus(Counted other) {
            return new Counted(all + other.all, own + other.own);
        }
    }

    private DownloadRows() {}

    /// Counts those pulls that were not yet counted on their day.
    static void count(Tx tx, List<Pull> pulls) {
        var counts = new TreeMap<Day, Counted>(
                Comparator.comparingLong(Day::repositoryId).thenComparingLong(Day::day));
        for (var pull : pulls) {
            repository(tx, pull.manifestId()).ifPresent(repository -> {
                if (!pull.own()) {
                    outside(tx, pull.manifestId());
                }
                if (isFirst(tx, pull)) {
                    counts.merge(new Day(repository, pull.day()), new Counted(1, pull.own() ? 1 : 0), Counted::plus);
                }
            });
        }
        for (Map.Entry<Day, Counted> count : counts.entrySet()) {
            add(tx, count.getKey(), count.getValue());
        }
    }

    /// Returns the repository of the manifest if it is that of a version.
    private static Optional<Long> repository(Tx tx, long manifestId) {
        return tx.find("""
                        SELECT b.repository_id FROM version v JOIN bundle b ON b.id = v.bundle_id
                        WHERE v.manifest_id = :manifest LIMIT 1
                        """, Long.class, "manifest", manifestId);
    }

    private static void outside(Tx tx, long manifestId) {
        tx.change("""
                        INSERT INTO version_pull (version_id, first_at)
                        SELECT id, :now FROM version WHERE manifest_id = :manifest
                        ON CONFLICT (version_id) DO NOTHING
                        """, "manifest", manifestId);
    }

    private static boolean isFirst(Tx tx, Pull pull) {
        return tx.change("""
                INSERT INTO download_seen (day, manifest_id, client) VALUES (:day, :manifestId, :client)
                ON CONFLICT DO NOTHING
                """, pull) == 1;
    }

    private static void add(Tx tx, Day day, Counted counted) {
        tx.change("""
                INSERT INTO download_day (repository_id, day, downloads, own) VALUES (:repositoryId, :day, :all, :own)
                ON CONFLICT (repository_id, day) DO UPDATE SET
                    downloads = download_day.downloads + excluded.downloads,
                    own = download_day.own + excluded.own
                """, day, counted);
        String lock = tx.dialect().forUpdate();
        long before = tx.find(
                        "SELECT trending FROM hub_entry WHERE repository_id = :repositoryId" + lock, Long.class, day)
                .orElse(0L);
        var noon = Instant.EPOCH.plus(day.day(), ChronoUnit.DAYS).plus(12, ChronoUnit.HOURS);
        tx.change("""
                INSERT INTO hub_entry (repository_id, downloads, trending) VALUES (:repositoryId, :all, :trending)
                ON CONFLICT (repository_id) DO UPDATE SET
                    downloads = hub_entry.downloads + excluded.downloads, trending = excluded.trending
                """, day, counted, "trending", FadingCount.plus(before, FadingCount.of(noon, counted.all())));
    }

    /// Deletes the clients seen before that day. Returns the number of rows.
    static int forget(Tx tx, long day) {
        return tx.change("DELETE FROM download_seen WHERE day < :day", "day", day);
    }

    static boolean isPulledOutside(Tx tx, UUID versionId) {
        return tx.has("SELECT 1 FROM version_pull WHERE version_id = :version", "version", versionId);
    }
}
