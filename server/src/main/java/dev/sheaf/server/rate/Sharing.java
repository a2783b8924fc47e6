package dev.sheaf.server.rate;

import dev.sheaf.server.db.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Tells the other nodes of an installation what was taken here, and hears what was taken there: a read of the
/// database every second, and a write where enough was taken, whatever the load. Until then each node grants from
/// its own buckets: `n` nodes may grant a holder up to `n` quotas within one second. What they granted too much is
/// missing afterwards, so that over minutes the quota holds, but for a fiftieth of it on each node that is never
/// told.
public final class Sharing {
    private static final int MAX_TOLD = 2_000;
    private static final Duration KEPT = Duration.ofSeconds(30);

    private final Database database;
    private final Rates rates;
    private final String node = UUID.randomUUID().toString();
    private final Map<String, Long> heard = new HashMap<>();
    private long told;

    public Sharing(Database database, Rates rates) {
        this.database = database;
        this.rates = rates;
    }

    /// To be called every second. Not thread-safe.
    public void exchange() {
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
                RateRows.purge(tx, tx.now().minus(KEPT));
                return uses;
            });
        }
        hear(database.read(tx -> RateRows.others(tx, node, tx.now().minus(KEPT))));
    }

    /// Each node writes its numbers in order, one transaction after the other, so whoever has seen one of them has
    /// seen those before it.
    private void hear(List<RateRows.Row> rows) {
        for (var row : rows) {
            if (row.number() > heard.getOrDefault(row.node(), 0L)) {
                heard.put(row.node(), row.number());
                rates.limiters().stream()
                        .filter(limiter -> limiter.policy().name().equals(row.policy())
                                && !limiter.policy().isOff())
                        .forEach(limiter ->
                                limiter.takenElsewhere(new Limiter.Use(Holder.parse(row.holder()), row.taken())));
            }
        }
        if (rows.isEmpty()) {
            heard.clear(); // nodes that are gone
        }
    }
}
