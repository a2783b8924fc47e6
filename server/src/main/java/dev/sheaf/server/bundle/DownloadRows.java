package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

final class DownloadRows {
    private static final int SHOWN = 90; // days

    /// A pull of a version by a client, which is written under its pseudonym. Pulls are sorted, so that all
    /// nodes write them in the same order.
    ///
    /// @param own whether the client belongs to the organization that owns the bundle
    /// @param credential the key or trusted publisher of that organization; null for people and for others
    record Pull(
            long manifestId,
            long day,
            String client,
            boolean own,
            ClientKind kind,
            @Nullable OwnCredential credential) implements Comparable<Pull> {
        private static final Comparator<Pull> ORDER = Comparator.comparingLong(Pull::manifestId)
                .thenComparingLong(Pull::day)
                .thenComparing(Pull::client)
                .thenComparing(Pull::own)
                .thenComparing(Pull::kind);

        Pull by(String other) {
            return new Pull(manifestId, day, other, own, kind, credential);
        }

        @Override
        public int compareTo(Pull other) {
            return ORDER.compare(this, other);
        }
    }

    /// A day of a repository or a manifest.
    record Place(long id, long day) implements Comparable<Place> {
        private static final Comparator<Place> ORDER =
                Comparator.comparingLong(Place::id).thenComparingLong(Place::day);

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    /// The pulls of a manifest on a day by a kind of client.
    private record KindPlace(Place place, ClientKind kind) implements Comparable<KindPlace> {
        private static final Comparator<KindPlace> ORDER =
                Comparator.comparing(KindPlace::place).thenComparing(KindPlace::kind);

        @Override
        public int compareTo(KindPlace other) {
            return ORDER.compare(this, other);
        }
    }

    record Counted(long all, long own) {
        Counted plus(Counted other) {
            return new Counted(all + other.all, own + other.own);
        }
    }

    private DownloadRows() {}

    /// Counts the pulls that were not yet counted on their day.
    static void count(Tx tx, List<Pull> pulls) {
        var bundles = new TreeMap<Place, Counted>();
        var manifests = new TreeMap<Place, Counted>();
        var kinds = new TreeMap<KindPlace, Counted>();
        for (var pull : pulls) {
            repository(tx, pull.manifestId()).ifPresent(repository -> {
                if (!pull.own()) {
                    outside(tx, pull.manifestId());
                }
                if (isFirst(tx, pull)) {
                    var one = new Counted(1, pull.own() ? 1 : 0);
                    bundles.merge(new Place(repository, pull.day()), one, Counted::plus);
                    var manifest = new Place(pull.manifestId(), pull.day());
                    manifests.merge(manifest, one, Counted::plus);
                    kinds.merge(new KindPlace(manifest, pull.kind()), one, Counted::plus);
                    if (pull.credential() != null) {
                        UseRows.add(tx, manifest, pull.kind(), pull.credential());
                    }
                }
            });
        }
        for (Map.Entry<Place, Counted> count : bundles.entrySet()) {
            add(tx, count.getKey(), count.getValue());
        }
        manifests.forEach((place, counted) -> addToVersions(tx, place, counted));
        kinds.forEach((place, counted) -> UseRows.add(tx, place.place(), place.kind(), counted));
    }

    /// Returns the repository of the manifest if the manifest belongs to a version.
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
                INSERT INTO download_seen (day, manifest_id, client) VALUES (:day, :manifest, :client)
                ON CONFLICT DO NOTHING
                """, "day", pull.day(), "manifest", pull.manifestId(), "client", pull.client()) == 1;
    }

    /// Counts for each version that has the manifest.
    private static void addToVersions(Tx tx, Place place, Counted counted) {
        tx.later("""
                INSERT INTO version_day (version_id, day, downloads, own)
                SELECT id, :day, :all, :own FROM version WHERE manifest_id = :id
                ON CONFLICT (version_id, day) DO UPDATE SET
                    downloads = version_day.downloads + excluded.downloads,
                    own = version_day.own + excluded.own
                """, place, counted);
    }

    private static void add(Tx tx, Place place, Counted counted) {
        tx.change("""
                INSERT INTO download_day (repository_id, day, downloads, own) VALUES (:id, :day, :all, :own)
                ON CONFLICT (repository_id, day) DO UPDATE SET
                    downloads = download_day.downloads + excluded.downloads,
                    own = download_day.own + excluded.own
                """, place, counted);
        String lock = tx.dialect().forUpdate();
        long before = tx.find("SELECT trending FROM hub_entry WHERE repository_id = :id" + lock, Long.class, place)
                .orElse(0L);
        var noon = Instant.EPOCH.plus(place.day(), ChronoUnit.DAYS).plus(12, ChronoUnit.HOURS);
        tx.change("""
                INSERT INTO hub_entry (repository_id, downloads, trending) VALUES (:id, :all, :trending)
                ON CONFLICT (repository_id) DO UPDATE SET
                    downloads = hub_entry.downloads + excluded.downloads, trending = excluded.trending
                """, place, counted, "trending", FadingCount.plus(before, FadingCount.of(noon, counted.all())));
    }

    /// Deletes the clients seen before that day. Returns the number of rows.
    static int forget(Tx tx, long day) {
        return tx.change("DELETE FROM download_seen WHERE day < :day", "day", day);
    }

    static boolean isPulledOutside(Tx tx, UUID versionId) {
        return outsideSince(tx, versionId).isPresent();
    }

    /// Returns when somebody outside the organization first pulled the version; empty if never.
    static Optional<Instant> outsideSince(Tx tx, UUID versionId) {
        return tx.find(
                "SELECT first_at FROM version_pull WHERE version_id = :version", Instant.class, "version", versionId);
    }

    /// Returns the pulls of a bundle.
    static PullCounts.Counts ofBundle(Tx tx, long repositoryId) {
        return counts(tx, "download_day WHERE repository_id = :id", repositoryId, null);
    }

    /// Returns the pulls of a version.
    static PullCounts.Counts ofVersion(Tx tx, UUID id) {
        return counts(
                tx,
                "version_day WHERE version_id = :id",
                id,
                outsideSince(tx, id).orElse(null));
    }

    /// Returns the pulls of versions from a day on, by version.
    static Map<UUID, Long> ofVersions(Tx tx, Collection<UUID> versions, long from) {
        record Pulled(UUID versionId, long downloads) {}
        return tx.list("""
                        SELECT version_id, CAST(SUM(downloads) AS BIGINT) AS downloads FROM version_day
                        WHERE version_id IN (<ids>) AND day >= :from GROUP BY version_id
                        """, Pulled.class, "ids", versions, "from", from).stream()
                .collect(Collectors.toMap(Pulled::versionId, Pulled::downloads));
    }

    private record Sum(long downloads, long own) {}

    private static PullCounts.Counts counts(Tx tx, String days, Object id, @Nullable Instant outsideSince) {
        long today = PullCounts.day(tx.now());
        long from = today - SHOWN + 1;
        var sum = tx.find(
                        "SELECT COALESCE(SUM(downloads), 0) AS downloads, COALESCE(SUM(own), 0) AS own FROM " + days,
                        Sum.class,
                        "id",
                        id)
                .orElseThrow();

        // ends today: a node whose clock is ahead may have counted for tomorrow
        String shown = "SELECT day, downloads, own FROM " + days + " AND day BETWEEN :from AND :to ORDER BY day";
        var list = tx.list(shown, PullCounts.Day.class, "id", id, "from", from, "to", today);
        return new PullCounts.Counts(sum.downloads(), sum.own(), from, today, list, outsideSince);
    }
}
