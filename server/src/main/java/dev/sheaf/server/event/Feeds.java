package dev.sheaf.server.event;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The feeds of events, for those who read on and who wait for more. Whoever waits costs no query: numbers that
/// were given, on any node, ring the bell of their feed. Thread-safe.
public final class Feeds {
    /// A cursor in words: behind all that is there.
    public static final String LATEST = "latest";

    /// How many places are looked at for one page, so that a filter that nothing passes costs no more than
    /// others.
    private static final int WINDOW = 10_000;

    private final Database database;
    private final Cursors cursors;
    private final Map<String, Bell> bells = new ConcurrentHashMap<>();
    private final AtomicLong credentials = new AtomicLong();
    private volatile boolean stopped;

    public Feeds(Database database, Cursors cursors) {
        this.database = database;
        this.cursors = cursors;
        database.onChange(this::changed);
    }

    /// A page.
    ///
    /// @param end the place up to which the feed was looked at
    /// @param hasMore whether there is more behind it now
    public record Page(List<FeedRow> events, long end, boolean hasMore) {
        public Page {
            events = List.copyOf(events);
        }
    }

    private void changed(Change change) {
        switch (change.kind()) {
            case FEED -> bells.getOrDefault(change.id(), Bell.OF_NOBODY).ring();
            case EVERYTHING -> {
                credentials.incrementAndGet();
                ringAll();
            }
            case API_KEY, SESSION, TOKEN, PUBLISHER -> credentials.incrementAndGet();
            case REPOSITORY, NAMESPACE, ORGANIZATION, SIGNING_KEY, WEBHOOK, EVENT -> {
                // nothing for those who wait
            }
        }
    }

    /// Counts the changes to credentials: where it has moved on, a caller may be one no more.
    public long credentials() {
        return credentials.get();
    }

    /// The time by which credentials end.
    public Instant now() {
        return database.now();
    }

    /// The place behind which to read.
    ///
    /// @param cursor null: the beginning
    /// @throws ProblemException invalid-cursor
    public long place(Feed feed, @Nullable String cursor) {
        if (cursor == null) {
            return -1;
        }
        return cursor.equals(LATEST)
                ? database.read(tx -> FeedRows.extent(tx, feed)).lastSeq()
                : cursors.open(feed, cursor);
    }

    /// The place behind all that is there.
    public static long end(Tx tx, Feed feed) {
        return FeedRows.extent(tx, feed).lastSeq();
    }

    /// The place of the last event up to a moment; 0 where there is none.
    public static long lastUntil(Tx tx, Feed feed, Instant moment) {
        return FeedRows.lastUntil(tx, feed, moment);
    }

    public String cursor(Feed feed, long place) {
        return cursors.seal(feed, Math.max(0, place));
    }

    /// The events behind a place, the oldest first.
    ///
    /// @param after as [#place] gives it
    /// @throws ProblemException cursor-expired where some behind it are gone already
    public Page read(Feed feed, EventFilter filter, long after, int limit) {
        return database.read(tx -> page(tx, feed, filter, after, limit));
    }

    private Page page(Tx tx, Feed feed, EventFilter filter, long after, int limit) {
        var extent = FeedRows.extent(tx, feed);
        if (after >= 0 && (after < extent.sweptSeq() || after > extent.lastSeq())) {
            throw new Problem.CursorExpired(cursor(feed, extent.sweptSeq())).raise();
        }
        long from = Math.max(after, extent.sweptSeq());
        long end = Math.min(extent.lastSeq(), from + WINDOW);
        var rows = FeedRows.list(tx, feed, filter, from, end, limit + 1);
        return rows.size() > limit // and whether more passes, which alone may show
                ? new Page(rows.subList(0, limit), rows.get(limit - 1).seq(), true)
                : new Page(rows, end, end < extent.lastSeq());
    }

    /// The same; where there is nothing, it waits for something to come, or for its time to end.
    ///
    /// @param rest runs the waiting
    public Page await(Feed feed, EventFilter filter, long after, int limit, Duration wait, Rest rest) {
        long deadline = System.nanoTime() + wait.toNanos();
        try (var follower = follow(feed)) {
            var page = read(feed, filter, after, limit);
            long left = deadline - System.nanoTime();
            while (page.events().isEmpty() && left > 0 && !stopped) {
                if (!page.hasMore()) {
                    long nanos = left;
                    rest.during(() -> follower.await(nanos));
                }
                page = read(feed, filter, page.end(), limit);
                left = deadline - System.nanoTime();
            }
            return page;
        }
    }

    /// Makes the time of a waiting count for nothing else.
    public interface Rest {
        void during(Runnable waiting);
    }

    /// To be closed. What comes from now on, the follower is told.
    public Follower follow(Feed feed) {
        var bell = bells.compute(feed.name(), (name, known) -> {
            var its = known == null ? new Bell() : known;
            its.followers++;
            return its;
        });
        return new Follower(feed, bell);
    }

    /// Somebody who waits for events. Bound to a thread.
    public final class Follower implements AutoCloseable {
        private final Feed feed;
        private final Bell bell;
        private long heard;

        private Follower(Feed feed, Bell bell) {
            this.feed = feed;
            this.bell = bell;
            this.heard = bell.rung();
        }

        /// Waits until something has come since this returned true, or was made.
        ///
        /// @return false where the time was over before
        public boolean await(long nanos) {
            long rung = bell.await(heard, stopped ? 0 : nanos);
            boolean isNew = rung != heard;
            heard = rung;
            return isNew;
        }

        /// Whether this node ends, and so should what follows.
        public boolean isOver() {
            return stopped;
        }

        @Override
        public void close() {
            bells.computeIfPresent(feed.name(), (name, its) -> --its.followers == 0 ? null : its);
        }
    }

    /// Lets nobody wait any more.
    public void stop() {
        stopped = true;
        ringAll();
    }

    private void ringAll() {
        bells.values().forEach(Bell::ring);
    }

    /// What those who follow one feed wait for.
    private static final class Bell {
        static final Bell OF_NOBODY = new Bell();

        private final ReentrantLock lock = new ReentrantLock();
        private final Condition ringing = lock.newCondition();
        private volatile long rung;
        private int followers; // changed where the bells are kept

        long rung() {
            return rung;
        }

        void ring() {
            lock.lock();
            try {
                rung++;
                ringing.signalAll();
            } finally {
                lock.unlock();
            }
        }

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
    }
}
