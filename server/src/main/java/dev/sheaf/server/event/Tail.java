package dev.sheaf.server.event;

import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The end of a feed, in memory, for as long as somebody follows it: what comes is read from the database once, however
/// many follow. Who is further behind reads there. Thread-safe.
final class Tail {
    private static final int MOST_ROWS = 500;
    private static final long MOST_CHARS = 128 << 10;
    private static final long OVERHEAD = 200;

    private final Database database;
    private final Feed feed;
    private final AtomicLong held;
    private final long mostHeld;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ringing = lock.newCondition();
    private final ReentrantLock loading = new ReentrantLock();
    private volatile long rung = 1;
    private volatile Known known = Known.NOTHING;
    int followers; // changed where tails are kept

    /// What is known.
    ///
    /// @param at how often it had rung when it was read
    /// @param from behind which place all is here
    /// @param chars about how much it is
    private record Known(long at, long epoch, long from, long end, List<FeedRow> rows, long chars) {
        static final Known NOTHING = new Known(0, 0, 0, -1, List.of(), 0);

        boolean covers(Place place) {
            return place.epoch() == epoch && place.seq() >= from && place.seq() <= end;
        }

        Optional<Feeds.Page> page(EventFilter filter, Place after, int limit) {
            if (!covers(after)) {
                return Optional.empty();
            }
            var passing = rows.stream()
                    .filter(row -> row.seq() > after.seq())
                    .filter(filter.passing())
                    .limit(limit + 1L)
                    .toList();
            return Optional.of(Feeds.Page.of(passing, limit, new Place(epoch, end), false));
        }
    }

    /// @param held how much all tails hold, and at most
    Tail(Database database, Feed feed, AtomicLong held, long mostHeld) {
        this.database = database;
        this.feed = feed;
        this.held = held;
        this.mostHeld = mostHeld;
    }

    // --- the bell ---

    long rung() {
        return rung;
    }

    /// There is more, or may be.
    void ring() {
        lock.lock();
        try {
            rung++;
            ringing.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until it has rung since.
    ///
    /// @return how often it has rung
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

    /// A page, as the database would give it; empty where it has to be asked.
    ///
    /// @param heard how often it has rung that the page is to know of
    Optional<Feeds.Page> page(EventFilter filter, Place after, int limit, long heard) {
        return fresh(heard).page(filter, after, limit);
    }

    /// The same behind a number, with all that has rung.
    Optional<Feeds.Page> page(EventFilter filter, long seq, int limit) {
        var now = fresh(rung);
        return now.page(filter, new Place(now.epoch, seq), limit);
    }

    /// The end of the feed.
    Place end(long heard) {
        var now = fresh(heard);
        return new Place(now.epoch, now.end);
    }

    private Known fresh(long heard) {
        if (known.at >= heard) {
            return known;
        }
        loading.lock();
        try {
            if (known.at < heard) {
                long at = rung; // before it is read: what rings meanwhile may not be in it
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
        if (!follows || extent.lastSeq() - before.end > MOST_ROWS) {
            return nothing;
        }
        var rows = new ArrayDeque<>(before.rows);
        rows.addAll(FeedRows.list(tx, feed, EventFilter.NONE, before.end, extent.lastSeq(), MOST_ROWS));
        long chars = rows.stream().mapToLong(Tail::chars).sum();
        long from = before.from;
        while (chars > MOST_CHARS || rows.size() > MOST_ROWS) {
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

    /// Nobody follows any more.
    void forget() {
        held.addAndGet(-known.chars);
    }
}
