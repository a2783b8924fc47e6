package dev.sheaf.server.event;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.ProblemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Gives committed events their numbers in the feeds. Thread-safe, on any number of nodes.
///
/// If numbers were assigned while other transactions commit, a reader could see 7 before 6 exists and miss 6.
/// So numbers are assigned after the commit, by one transaction at a time over all nodes; events that it cannot
/// see yet get higher numbers later. No writer waits for this. The node that wrote an event numbers it
/// immediately, together with all events that were written meanwhile. If that node dies first, another one does
/// it within a minute.
public final class EventNumbering {
    private static final Logger LOG = LoggerFactory.getLogger(EventNumbering.class);
    private static final int AT_ONCE = 500;
    /// Time between two rounds: events that are written meanwhile share the next one.
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Database database;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean stopped;

    public EventNumbering(Database database) {
        this.database = database;
    }

    /// Starts to number events as soon as they are written on this node.
    public void begin() {
        database.onChange(change -> {
            if (change.kind() == DataChange.Kind.EVENT) {
                wake();
            }
        });
    }

    private void wake() {
        if (asked.getAndIncrement() == 0 && !stopped) {
            Thread.ofVirtual().name("event-numbering").start(this::rounds);
        }
    }

    private void rounds() {
        int seen;
        do {
            seen = asked.get();
            try {
                number();
                Thread.sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                boolean isKnown = stopped || ProblemException.isUnavailable(e);
                LOG.atLevel(isKnown ? Level.DEBUG : Level.WARN)
                        .setCause(e)
                        .log("events could not be numbered; this node tries again");
            }
        } while (!asked.compareAndSet(seen, 0) && !stopped);
    }

    /// Returns for how long the oldest event without a number has waited, in seconds; 0 if all have theirs.
    public double lagSeconds() {
        return database.read(FeedRows::oldestUnnumbered)
                .map(oldest -> Duration.between(oldest, database.now()).toMillis() / 1_000.0)
                .orElse(0.0);
    }

    /// Numbers all committed events that have no number.
    public void run() {
        if (database.read(FeedRows::isAnyUnnumbered)) {
            number();
        }
    }

    private void number() {
        while (database.write(EventNumbering::some) == AT_ONCE) {
            Thread.yield();
        }
    }

    /// Stops starting rounds automatically.
    public void stop() {
        stopped = true;
    }

    private static int some(Tx tx) {
        FeedRows.lock(tx);
        var events = FeedRows.unnumbered(tx, AT_ONCE);
        var feeds = new HashSet<String>();
        for (var event : events) {
            feeds.add(new EventFeed(event.organizationId()).name());
            if (event.hub()) {
                feeds.add(EventFeed.HUB.name());
            }
        }
        var last = new HashMap<>(FeedRows.last(tx, feeds));
        var numbers = new ArrayList<FeedRows.Numbers>();
        for (var event : events) {
            long seq = last.merge(new EventFeed(event.organizationId()).name(), 1L, Long::sum);
            Long hubSeq = event.hub() ? last.merge(EventFeed.HUB.name(), 1L, Long::sum) : null;
            numbers.add(new FeedRows.Numbers(event.id(), seq, hubSeq));
        }
        FeedRows.number(tx, numbers, last);
        feeds.forEach(feed -> tx.changed(new DataChange(DataChange.Kind.FEED, feed)));
        return numbers.size();
    }
}
