package dev.sheaf.server.event;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The feeds of events, for those who read on and who wait for more. Whoever waits costs no query: numbers that were
/// given, on any node, ring the bell of their feed; what came is then read once for all of them. Thread-safe.
public final class Feeds {
    /// A cursor in words: behind all that is there.
    public static final String LATEST = "latest";

    /// How many places are looked at for one page, so that a filter that nothing passes costs no more than
    /// others.
    private static final int WINDOW = 10_000;

    /// How many characters of events are in memory, at most.
    private static final long MOST_HELD = 8 << 20;

    private final Database database;
    private final Cursors cursors;
    private final Map<String, Tail> tails = new ConcurrentHashMap<>();
    private final AtomicLong held = new AtomicLong();
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
    public record Page(List<FeedRow> events, Place end, boolean hasMore) {
        public Page {
            events = List.copyOf(events);
        }

        /// @param rows one more than the limit where more passes, which alone may show
        static Page of(List<FeedRow> rows, int limit, Place end, boolean hasMore) {
            return rows.size() > limit
                    ? new Page(
                            rows.subList(0, limit),
                            new Place(end.epoch(), rows.get(limit - 1).seq()),
                            true)
                    : new Page(rows, end, hasMore);
        }

        /// Where one of its events is.
        public Place place(FeedRow row) {
            return new Place(end.epoch(), row.seq());
        }
    }

    private void changed(Change change) {
        switch (change.kind()) {
            case FEED -> ring(change.id());
            case EVERYTHING -> {
                credentials.incrementAndGet();
                ringAll();
            }
            case API_KEY, SESSION, TOKEN, PUBLISHER -> credentials.incrementAndGet();
            case REPOSITORY, NAMESPACE, ORGANIZATION, SIGNING_KEY, WEBHOOK, QUEUE, EVENT -> {
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
    public Place place(Feed feed, @Nullable String cursor) {
        if (cursor == null) {
            return Place.BEGINNING;
        }
        return cursor.equals(LATEST) ? database.read(tx -> end(tx, feed)) : cursors.open(feed, cursor);
    }

    /// The number of the last event; 0 where there is none.
    public static long last(Tx tx, Feed feed) {
        return FeedRows.extent(tx, feed).lastSeq();
    }

    /// The number of the last event up to a moment; 0 where there is none.
    public static long lastUntil(Tx tx, Feed feed, Instant moment) {
        return FeedRows.lastUntil(tx, feed, moment);
    }

    private static Place end(Tx tx, Feed feed) {
        var extent = FeedRows.extent(tx, feed);
        return new Place(extent.epoch(), extent.lastSeq());
    }

    /// The same for the same place.
    public String cursor(Feed feed, Place place) {
        return cursors.seal(feed, valid(place));
    }

    /// Another one each time.
    public String veiled(Feed feed, Place place) {
        return cursors.sealAnew(feed, valid(place));
    }

    private static Place valid(Place place) {
        return new Place(place.epoch(), Math.max(0, place.seq()));
    }

    /// The events behind a place, the oldest first.
    ///
    /// @param after as [#place] gives it
    /// @throws ProblemException cursor-expired where some behind it are gone already
    public Page read(Feed feed, EventFilter filter, Place after, int limit) {
        return database.read(tx -> page(tx, feed, filter, after, limit));
    }

    /// The same behind a number, for what keeps numbers beside the events.
    public Page read(Feed feed, EventFilter filter, long seq, int limit) {
        return database.read(tx ->
                page(tx, feed, filter, new Place(FeedRows.extent(tx, feed).epoch(), seq), limit));
    }

    private Page page(Tx tx, Feed feed, EventFilter filter, Place after, int limit) {
        var extent = FeedRows.extent(tx, feed);
        if (!after.isBeginning() && !extent.has(after)) {
            throw new Problem.CursorExpired(cursor(feed, new Place(extent.epoch(), extent.sweptSeq()))).raise();
        }
        long from = Math.max(after.seq(), extent.sweptSeq());
        long end = Math.min(extent.lastSeq(), from + WINDOW);
        var rows = FeedRows.list(tx, feed, filter, from, end, limit + 1);
        return Page.of(rows, limit, new Place(extent.epoch(), end), end < extent.lastSeq());
    }

    /// The events up to a place, the newest first. The end of the page is the place up to which the next one goes.
    ///
    /// @param last as [#place] gives it
    /// @throws ProblemException cursor-expired where those before it are gone already
    public Page newest(Feed feed, EventFilter filter, Place last, int limit) {
        return database.read(tx -> {
            var extent = FeedRows.extent(tx, feed);
            if (!extent.has(last)) {
                throw new Problem.CursorExpired(cursor(feed, new Place(extent.epoch(), extent.sweptSeq()))).raise();
            }
            long end = Math.min(last.seq(), extent.lastSeq());
            long from = Math.max(extent.sweptSeq(), end - WINDOW);
            var rows = FeedRows.newest(tx, feed, filter, from, end, limit + 1);
            if (rows.size() > limit) {
                var shown = rows.subList(0, limit);
                return new Page(shown, new Place(extent.epoch(), shown.getLast().seq() - 1), true);
            }
            return new Page(rows, new Place(extent.epoch(), from), from > extent.sweptSeq());
        });
    }

    /// To be closed. What comes from now on, the follower is told.
    public Follower follow(Feed feed) {
        var tail = tails.compute(feed.name(), (name, known) -> {
            var its = known == null ? new Tail(database, feed, held, MOST_HELD) : known;
            its.followers++;
            return its;
        });
        return new Follower(feed, tail);
    }

    /// Somebody who waits for events. For one thread at a time.
    public final class Follower implements AutoCloseable {
        private final Feed feed;
        private final Tail tail;
        private long heard;

        private Follower(Feed feed, Tail tail) {
            this.feed = feed;
            this.tail = tail;
            this.heard = tail.rung();
        }

        /// As [Feeds#place]; of the end as far as this node was told of it.
        public Place place(@Nullable String cursor) {
            return LATEST.equals(cursor) ? tail.end(heard) : Feeds.this.place(feed, cursor);
        }

        /// As [Feeds#read], and without a query where the place is near the end.
        public Page read(EventFilter filter, Place after, int limit) {
            return tail.page(filter, after, limit, heard).orElseGet(() -> Feeds.this.read(feed, filter, after, limit));
        }

        /// The same behind a number, for what keeps numbers beside the events, and with all that this node was told of
        /// by now.
        public Page read(EventFilter filter, long seq, int limit) {
            return tail.page(filter, seq, limit).orElseGet(() -> Feeds.this.read(feed, filter, seq, limit));
        }

        /// Waits until something has come since this returned true, or was made.
        ///
        /// @return false where the time was over before
        public boolean await(long nanos) {
            long rung = tail.await(heard, stopped ? 0 : nanos);
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
            tails.computeIfPresent(feed.name(), (name, its) -> {
                if (--its.followers > 0) {
                    return its;
                }
                its.forget();
                return null;
            });
        }
    }

    /// Lets nobody wait any more.
    public void stop() {
        stopped = true;
        ringAll();
    }

    private void ringAll() {
        tails.values().forEach(Tail::ring);
    }

    private void ring(String feed) {
        var tail = tails.get(feed);
        if (tail != null) {
            tail.ring();
        }
    }
}
