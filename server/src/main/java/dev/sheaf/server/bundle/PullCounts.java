package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.secret.DailyPseudonyms;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.registry.Repository;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts pulls of versions, one per client, version and UTC day. Pulls are recorded in memory, and a timer
/// writes them in batches, so a crash loses the pulls of the last few seconds. Thread-safe.
///
/// A client is an API key, or without one an IPv4 address or IPv6 /64 network. Neither is stored, only a
/// pseudonym that changes every day ([DailyPseudonyms]) and is deleted after the following day.
public final class PullCounts {
    private static final Logger LOG = LoggerFactory.getLogger(PullCounts.class);
    private static final int MAX_WAITING = 50_000;
    private static final int BATCH = 500;
    private static final int MONTH = 30; // days
    private static final int NETWORK = 8; // bytes of an IPv6 network prefix

    private final Database database;
    private final DailyPseudonyms pseudonyms;
    private final Set<DownloadRows.Pull> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicLong dropped = new AtomicLong();
    private volatile long forgotten;

    public PullCounts(Database database, MasterSecret master) {
        this.database = database;
        this.pseudonyms = new DailyPseudonyms(master, "downloads");
    }

    /// Returns the day of a time, in days since 1970 (UTC).
    public static long day(Instant time) {
        return Math.floorDiv(time.getEpochSecond(), Duration.ofDays(1).toSeconds());
    }

    /// Records that the whole manifest was sent, or a file of it to a model; does not block. Manifests that are not
    /// versions are not counted. While 50,000 pulls wait to be written, further ones are dropped.
    ///
    /// @param kind a client that uses several kinds on one day counts as one of them
    public void pulled(Caller caller, InetAddress address, ClientKind kind, Repository repository, long manifestId) {
        if (waiting.size() >= MAX_WAITING) {
            dropped.incrementAndGet();
            return;
        }
        boolean own =
                caller instanceof Caller.Known known && known.organizationId().equals(repository.organizationId());
        waiting.add(new DownloadRows.Pull(
                manifestId,
                day(database.now()),
                client(caller, address),
                own,
                kind,
                own ? OwnCredential.of(caller) : null));
    }

    private static String client(Caller caller, InetAddress address) {
        return switch (caller) {
            case Caller.Known known -> known.actor();
            case Caller.Anonymous ignored -> {
                byte[] bytes = address.getAddress();
                yield "address "
                        + HexFormat.of()
                                .formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK) : bytes);
            }
        };
    }

    /// Writes the pulls that this node recorded. Called by a timer, at shutdown, and before a decision that
    /// depends on [#pulledOutside].
    public synchronized void flush() {
        long today = day(database.now());
        if (today != forgotten) {
            database.write(tx -> DownloadRows.forget(tx, today - 1));
            forgotten = today;
        }
        for (var batch = waiting.stream().limit(BATCH).toList();
                !batch.isEmpty();
                batch = waiting.stream().limit(BATCH).toList()) {
            var pulls = batch.stream()
                    .map(pull -> pull.by(pseudonyms.of(pull.day(), pull.client())))
                    .sorted()
                    .toList();
            database.write(tx -> {
                DownloadRows.count(tx, pulls);
                return pulls.size();
            });
            batch.forEach(waiting::remove);
        }
        long lost = dropped.getAndSet(0);
        if (lost > 0) {
            LOG.warn("{} downloads were not counted: more than {} waited to be written", lost, MAX_WAITING);
        }
    }

    /// The number of pulls on a day.
    ///
    /// @param day the day, in days since 1970 (UTC)
    /// @param own the pulls by the owning organization
    public record Day(long day, long downloads, long own) {}

    /// The number of pulls of a bundle or a version.
    ///
    /// @param from the first day that `days` can contain
    /// @param to today
    /// @param days the days with pulls, oldest first
    /// @param outsideSince when somebody outside the owning organization first pulled the version; null if
    ///     never, or for a bundle
    public record Counts(
            long total,
            long own,
            long from,
            long to,
            List<Day> days,
            @Nullable Instant outsideSince) {}

    /// Returns the pulls of a bundle. The last seconds may be missing.
    public Counts of(BundleSnapshot bundle) {
        return database.read(tx -> DownloadRows.ofBundle(tx, bundle.repository().id()));
    }

    /// Returns the pulls of a version, from the day on which counting by version began. The last seconds may be
    /// missing.
    public Counts of(UUID versionId) {
        return database.read(tx -> DownloadRows.ofVersion(tx, versionId));
    }

    /// Returns the pulls of versions in the last 30 days, by version. Versions without any may be missing.
    public static Map<UUID, Long> ofVersions(Tx tx, Collection<UUID> versions) {
        return versions.isEmpty() ? Map.of() : DownloadRows.ofVersions(tx, versions, day(tx.now()) - MONTH + 1);
    }

    /// Returns whether somebody outside of the owning organization has pulled the version. Knows only pulls
    /// that were written: [#flush] writes the pulls of this node; other nodes write theirs within seconds.
    public static boolean pulledOutside(Tx tx, UUID versionId) {
        return DownloadRows.isPulledOutside(tx, versionId);
    }

    /// Deletes days by kind of client and by credential from before a moment.
    ///
    /// @return how many rows; fewer than `limit` if no more are due
    public static int removeUse(Tx tx, Instant before, int limit) {
        return UseRows.remove(tx, day(before), limit);
    }

    /// Adds up days from before a moment to one sum for each bundle and version.
    ///
    /// @return how many days were added up; fewer than `limit` if no more are due
    public static int addUp(Tx tx, Instant before, int limit) {
        return PastDownloadRows.addUp(tx, day(before), limit);
    }
}
