package dev.sheaf.server.event;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import java.time.Duration;
import java.util.HashMap;

/// Deletes events that are past their retention time. Thread-safe, on any number of nodes.
public final class EventSweep {
    private static final int AT_ONCE = 500;
    private static final Duration OF_JOBS = Duration.ofDays(7);

    private final Database database;
    private final Duration kept;

    public EventSweep(Database database, Duration kept) {
        this.database = database;
        this.kept = kept;
    }

    /// Deletes in small transactions, so that other writers need not wait.
    public void run() {
        while (database.write(this::some) == AT_ONCE) {
            Thread.yield();
        }
        while (database.write(tx -> FeedRows.removeOfJobs(tx, tx.now().minus(OF_JOBS), AT_ONCE)) == AT_ONCE) {
            Thread.yield();
        }
    }

    private int some(Tx tx) {
        FeedRows.lock(tx);
        var old = FeedRows.old(tx, tx.now().minus(kept), AT_ONCE);
        var swept = new HashMap<String, Long>();
        for (var event : old) {
            swept.merge(new EventFeed(event.organizationId()).name(), event.seq(), Math::max);
            if (event.hubSeq() != null) {
                swept.merge(EventFeed.HUB.name(), event.hubSeq(), Math::max);
            }
        }
        FeedRows.remove(tx, old, swept);
        return old.size();
    }
}
