package dev.sheaf.server.event;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The last events of a feed, in memory while it has followers. New events are read from the database once for all
/// followers; a follower that is further behind reads from the database. Thread-safe.
final class FeedTail {
    private static final int MAX_ROWS = 500;
    private static final long MAX_CHARS = 128 << 10;
    private static final long OVERHEAD = 200;

    private final Database database;
    private final EventFeed feed;
    private final AtomicLong held;
    private final long mostHeld;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ringing = lock.newCondition();
    private final ReentrantLock loading = new ReentrantLock();
    private volatile long rung = 1;
    private volatile Known known = Known.NOTHING;
    int followers; // changed only inside compute() of the map of tails

    /// The events in memory.
    ///
    /// @param at the number of rings when they were read
    /// @param from all events after this place are included
    /// @param chars approximate size
    private record Known(long at, long epoch, long from, long end, List<FeedRow> rows, long chars) {
        static final Known NOTHING = new Known(0, 0, 0, -1, List.of(), 0);

        boolean covers(FeedPosition place) {
            return place.epoch() == epoch && place.seq() >= from && place.seq() <= end;
        }

        Optional<EventFeeds.Page> page(EventFilter filter, FeedPosition after, int limit) {
            if (!covers(after)) {
                return Optional.empty();
            }
            var passing = rows.stream()
                    .filter(row -> row.seq() > after.seq())
                    .filter(filter.passing())
                    .limit(limit + 1L)
                    .toList();
            return Optional.of(EventFeeds.Page.of(passing, limit, new FeedPosition(epoch, end), false));
        }
    }

    /// @param held the number of characters in all tails together, limited by `mostHeld`
    FeedTail(Database database, EventFeed feed, AtomicLong held, long mostHeld) {
        this.database = database;
        this.feed = feed;
        this.held = held;
        this.mostHeld = mostHeld;
    }

    // --- the bell ---

    long rung() {
        return rung;
    }

    /// Records that there may be more events.
    void ring() {
        lock.lock();
        try {
            rung++;
            ringing.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the bell has rung since `heard`.
    ///
    /// @return the number of rings
    long await(long heard, long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (rung == heard && left > 0) {
                left = ringing.awaitNanos(left);
            }
            return rung;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return rung;
        } finally {
            lock.unlock();
        }
    }

    // --- the events ---

    /// Returns a page as the database would; empty if the database must be asked.
    ///
    /// @param heard the number of rings that the page must include
    Optional<EventFeeds.Page> page(EventFilter filter, FeedPosition after, int limit, long heard) {
        return fresh(heard).page(filter, after, limit);
    }

    /// Returns a page after a number that includes all rings so far.
    Optional<EventFeeds.Page> page(EventFilter filter, long seq, int limit) {
        var now = fresh(rung);
        return now.page(filter, new FeedPosition(now.epoch, seq), limit);
    }

    /// Returns the end of the feed.
    FeedPosition end(long heard) {
        var now = fresh(heard);
        return new FeedPosition(now.epoch, now.end);
    }

    private Known fresh(long heard) {
        if (known.at >= heard) {
            return known;
        }
        loading.lock();
        try {
            if (known.at < heard) {
                long at = rung; // taken before reading: later rings may not be included
                var before = known;
                var next = database.read(tx -> more(tx, before, at));
                held.addAndGet(next.chars - before.chars);
                known = next;
            }
            return known;
        } finally {
            loading.unlock();
        }
    }

    private Known more(Tx tx, Known before, long at) {
        var extent = FeedRows.extent(tx, feed);
        var nothing = new Known(at, extent.epoch(), extent.lastSeq(), extent.lastSeq(), List.of(), 0);
        boolean follows = before.end >= 0 && before.epoch == extent.epoch() && before.end <= extent.lastSeq();
        if (!follows || extent.lastSeq() - before.end > MAX_ROWS) {
            return nothing;
        }
        var rows = new ArrayDeque<>(before.rows);
        rows.addAll(FeedRows.list(tx, feed, EventFilter.NONE, before.end, extent.lastSeq(), MAX_ROWS));
        long chars = rows.stream().mapToLong(FeedTail::chars).sum();
        long from = before.from;
        while (chars > MAX_CHARS || rows.size() > MAX_ROWS) {
            var oldest = rows.removeFirst();
            chars -= chars(oldest);
            from = oldest.seq();
        }
        return held.get() - before.chars + chars > mostHeld
                ? nothing
                : new Known(at, extent.epoch(), from, extent.lastSeq(), List.copyOf(rows), chars);
    }

    private static long chars(FeedRow row) {
        return OVERHEAD + row.data().length() + row.subject().length();
    }

    /// Releases the memory after the last follower has left.
    void forget() {
        held.addAndGet(-known.chars);
    }
}
