package dev.sheaf.server.rate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.server.db.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Exchanges use between the nodes of an installation on PostgreSQL. It reads the database every second, or every
/// 25 if the node has no requests, and writes only if a holder has used enough. Until then, each node grants
/// requests from its own buckets, so `n` nodes may grant a holder up to `n` quotas: within one or two seconds, or
/// within 25 on nodes that had no requests. The excess is subtracted afterwards, at the latest two seconds after a
/// request. So the quota holds over minutes, except for up to a fiftieth of it per node, which is not reported.
///
/// One node at a time lets the database sum up the new reports of all nodes in one row, called a round. All
/// nodes read only the rounds that are new to them, so the work of the database grows with the number of nodes
/// and not with its square. A round also contains the use of the reading node, which therefore subtracts its
/// own reports.
public final class Sharing {
    private static final int MAX_TOLD = 2_000;
    private static final Duration KEPT = Duration.ofSeconds(30);
    /// The shortest time between two rounds, well below the pause between exchanges.
    private static final Duration ROUND = Duration.ofMillis(400);

    /// Seconds without requests during which a node reads as often as before, because it may have told something.
    private static final int SETTLING = 3;
    /// Seconds between two exchanges of a node without requests: all rounds of that time are still kept.
    private static final int SELDOM = 25;

    private final Database database;
    private final Rates rates;
    private final String node = UUID.randomUUID().toString();
    private final Cache<String, Long> own =
            Caffeine.newBuilder().expireAfterWrite(KEPT).build();
    private int idle;
    private long told;
    private long heard;

    public Sharing(Database database, Rates rates) {
        this.database = database;
        this.rates = rates;
    }

    /// Runs one exchange if it is time. The owner calls it every second. Not thread-safe.
    public void run() {
        boolean isUsed = false;
        for (var limiter : rates.limiters()) {
            isUsed |= limiter.isUsed();
        }
        idle = isUsed ? 0 : idle + 1;
        if (idle <= SETTLING || idle % SELDOM == 0) {
            exchange();
        }
    }

    void exchange() {
        tell();
        var fold = database.read(RateRows::fold).orElse(null);
        if (fold == null) {
            database.write(tx -> {
                RateRows.begin(tx);
                return 1;
            });
            heard = 0;
            return;
        }
        if (fold.round() < heard) { // the database lost its tables in a crash
            heard = 0;
        }
        var before = database.now().minus(ROUND);
        boolean summed = fold.waiting() && !fold.writtenAt().isAfter(before) && sumUp();
        if (summed || fold.round() > heard) {
            hear(fold.round());
        }
    }

    private void tell() {
        var uses = new ArrayList<RateRows.Row>();
        for (var limiter : rates.limiters()) {
            for (var use : limiter.untold(MAX_TOLD)) {
                uses.add(new RateRows.Row(
                        node, ++told, limiter.policy().name(), use.holder().toString(), use.taken()));
            }
        }
        if (!uses.isEmpty()) {
            database.write(tx -> {
                RateRows.insert(tx, uses);
                return uses;
            });
            uses.forEach(use -> own.asMap().merge(use.policy() + ' ' + use.holder(), use.taken(), Long::sum));
        }
    }

    /// Writes the next round. Returns false if another node does so now.
    private boolean sumUp() {
        return database.write(tx -> {
            var last = RateRows.lock(tx, tx.now().minus(ROUND));
            last.ifPresent(number -> RateRows.sum(tx, number + 1, tx.now().minus(KEPT)));
            return last.isPresent();
        });
    }

    private void hear(long last) {
        for (var round : database.read(tx -> RateRows.rounds(tx, heard, tx.now().minus(KEPT)))) {
            heard = round.number();
            round.uses().lines().forEach(this::hear);
        }
        heard = Math.max(heard, last); // skips rounds that are too old to be read
    }

    /// Subtracts the use on other nodes. Ignores a line in another form, which a newer release may have
    /// written.
    private void hear(String line) {
        var parts = List.of(line.split(" "));
        if (parts.size() != 3) {
            return;
        }
        var holder = Holder.find(parts.get(1)).orElse(null);
        if (holder == null || !parts.get(2).matches("[0-9]{1,18}")) {
            return;
        }
        long elsewhere = withoutOwn(parts.get(0) + ' ' + parts.get(1), Long.parseLong(parts.get(2)));
        if (elsewhere > 0) {
            rates.limiters().stream()
                    .filter(limiter -> limiter.policy().name().equals(parts.getFirst())
                            && !limiter.policy().isOff())
                    .forEach(limiter -> limiter.takenElsewhere(new Limiter.Use(holder, elsewhere)));
        }
    }

    /// Returns the use without this node's own reports. The node does not know which of its reports a round
    /// contains, but over a few rounds the sums are right.
    private long withoutOwn(String key, long taken) {
        long reported = own.asMap().getOrDefault(key, 0L);
        if (reported <= taken) {
            own.invalidate(key);
            return taken - reported;
        }
        own.put(key, reported - taken);
        return 0;
    }
}
