package dev.sheaf.server.event;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The feeds of events, for readers that poll and readers that wait. Waiting costs no query: numbers assigned
/// on any node ring the bell of their feed, and the new events are then read once for all waiting readers.
/// Thread-safe.
public final class EventFeeds {
    /// The word for a cursor at the current end.
    public static final String LATEST = "latest";

    /// The maximum number of events examined for one page, so that a filter that matches nothing costs no more
    /// than others.
    private static final int WINDOW = 10_000;

    /// The maximum number of characters of events in memory.
    private static final long MAX_HELD = 8 << 20;

    private final Database database;
    private final FeedCursors cursors;
    private final Map<String, FeedTail> tails = new ConcurrentHashMap<>();
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong credentials = new AtomicLong();
    private volatile boolean stopped;

    public EventFeeds(Database database, FeedCursors cursors) {
        this.database = database;
        this.cursors = cursors;
        database.onChange(this::changed);
    }

    /// A page of events.
    ///
    /// @param end the place up to which the feed was examined
    /// @param hasMore whether the feed has more after it now
    public record Page(List<FeedRow> events, FeedPosition end, boolean hasMore) {
        public Page {
            events = List.copyOf(events);
        }

        /// @param rows one more than the limit if more rows pass
        static Page of(List<FeedRow> rows, int limit, FeedPosition end, boolean hasMore) {
            return rows.size() > limit
                    ? new Page(
                            rows.subList(0, limit),
                            new FeedPosition(end.epoch(), rows.get(limit - 1).seq()),
                            true)
                    : new Page(rows, end, hasMore);
        }

        /// Returns the place of one of its events.
        public FeedPosition place(FeedRow row) {
            return new FeedPosition(end.epoch(), row.seq());
        }
    }

    private void changed(DataChange change) {
        switch (change.kind()) {
            case FEED -> ring(change.id());
            case EVERYTHING -> {
                credentials.incrementAndGet();
                ringAll();
            }
            case API_KEY, SESSION, TOKEN, PUBLISHER -> credentials.incrementAndGet();
            case REPOSITORY, NAMESPACE, ORGANIZATION, SIGNING_KEY, WEBHOOK, QUEUE, EVENT -> {
                // concerns no readers
            }
        }
    }

    /// Returns the number of changes to credentials. When it has increased, the caller must be authenticated
    /// again.
    public long credentials() {
        return credentials.get();
    }

    /// Returns the time by which expiry of credentials is checked.
    public Instant now() {
        return database.now();
    }

    /// Returns the place of a cursor.
    ///
    /// @param cursor null for the beginning
    /// @throws ProblemException invalid-cursor
    public FeedPosition place(EventFeed feed, @Nullable String cursor) {
        if (cursor == null) {
            return FeedPosition.BEGINNING;
        }
        return cursor.equals(LATEST) ? database.read(tx -> end(tx, feed)) : cursors.open(feed, cursor);
    }

    /// Returns the number of the last event; 0 if there is none.
    public static long last(Tx tx, EventFeed feed) {
        return FeedRows.extent(tx, feed).lastSeq();
    }

    /// Returns the number of the last event up to a moment; 0 if there is none.
    public static long lastUntil(Tx tx, EventFeed feed, Instant moment) {
        return FeedRows.lastUntil(tx, feed, moment);
    }

    /// Returns the event with this number; empty if it has expired.
    public static Optional<FeedRow> find(Tx tx, EventFeed feed, long seq) {
        return FeedRows.list(tx, feed, EventFilter.NONE, seq - 1, seq, 1).stream()
                .findFirst();
    }

    private static FeedPosition end(Tx tx, EventFeed feed) {
        var extent = FeedRows.extent(tx, feed);
        return new FeedPosition(extent.epoch(), extent.lastSeq());
    }

    /// Returns the same cursor for the same place.
    public String cursor(EventFeed feed, FeedPosition place) {
        return cursors.seal(feed, valid(place));
    }

    /// Returns a different cursor each time.
    public String veiled(EventFeed feed, FeedPosition place) {
        return cursors.sealAnew(feed, valid(place));
    }

    private static FeedPosition valid(FeedPosition place) {
        return new FeedPosition(place.epoch(), Math.max(0, place.seq()));
    }

    /// Returns the events after a place, oldest first.
    ///
    /// @param after a place as returned by [#place]
    /// @throws ProblemException cursor-expired if some events after it are deleted already
    public Page read(EventFeed feed, EventFilter filter, FeedPosition after, int limit) {
        return database.read(tx -> page(tx, feed, filter, after, limit));
    }

    /// Returns the events after a number, for readers that store numbers instead of cursors.
    public Page read(EventFeed feed, EventFilter filter, long seq, int limit) {
        return database.read(tx -> page(
                tx, feed, filter, new FeedPosition(FeedRows.extent(tx, feed).epoch(), seq), limit));
    }

    private Page page(Tx tx, EventFeed feed, EventFilter filter, FeedPosition after, int limit) {
        var extent = FeedRows.extent(tx, feed);
        if (!after.isBeginning() && !extent.has(after)) {
            throw new Problem.CursorExpired(cursor(feed, new FeedPosition(extent.epoch(), extent.sweptSeq()))).raise();
        }
        long from = Math.max(after.seq(), extent.sweptSeq());
        long end = Math.min(extent.lastSeq(), from + WINDOW);
        var rows = FeedRows.list(tx, feed, filter, from, end, limit + 1);
        return Page.of(rows, limit, new FeedPosition(extent.epoch(), end), end < extent.lastSeq());
    }

    /// Returns the events up to a place, newest first. The end of the page is the place up to which the next page
    /// reads.
    ///
    /// @param last a place as returned by [#place]
    /// @throws ProblemException cursor-expired if the events before it are deleted already
    public Page newest(EventFeed feed, EventFilter filter, FeedPosition last, int limit) {
        return database.read(tx -> {
            var extent = FeedRows.extent(tx, feed);
            if (!extent.has(last)) {
                throw new Problem.CursorExpired(cursor(feed, new FeedPosition(extent.epoch(), extent.sweptSeq())))
                        .raise();
            }
            long end = Math.min(last.seq(), extent.lastSeq());
            long from = Math.max(extent.sweptSeq(), end - WINDOW);
            var rows = FeedRows.newest(tx, feed, filter, from, end, limit + 1);
            if (rows.size() > limit) {
                var shown = rows.subList(0, limit);
                return new Page(
                        shown, new FeedPosition(extent.epoch(), shown.getLast().seq() - 1), true);
            }
            return new Page(rows, new FeedPosition(extent.epoch(), from), from > extent.sweptSeq());
        });
    }

    /// A part of a feed that a reader asked for by a cursor.
    ///
    /// @param isExpired whether the events of the cursor are deleted already, so that this part is the first one
    public record Part(Page page, boolean isExpired) {}

    /// Returns the events up to a cursor as [#newest(EventFeed, EventFilter, FeedPosition, int)] does, or else the
    /// newest ones.
    ///
    /// @param cursor null for the newest events
    /// @throws ProblemException invalid-cursor
    public Part newest(EventFeed feed, EventFilter filter, @Nullable String cursor, int limit) {
        return part(feed, cursor, LATEST, place -> newest(feed, filter, place, limit));
    }

    /// Returns the events after a cursor as [#read(EventFeed, EventFilter, FeedPosition, int)] does, or else the
    /// oldest ones.
    ///
    /// @param cursor null for the oldest events
    /// @throws ProblemException invalid-cursor
    public Part oldest(EventFeed feed, EventFilter filter, @Nullable String cursor, int limit) {
        return part(feed, cursor, null, place -> read(feed, filter, place, limit));
    }

    private Part part(
            EventFeed feed, @Nullable String cursor, @Nullable String first, Function<FeedPosition, Page> reading) {
        if (cursor != null) {
            try {
                return new Part(reading.apply(place(feed, cursor)), false);
            } catch (ProblemException e) {
                if (!(e.problem() instanceof Problem.CursorExpired)) {
                    throw e;
                }
            }
        }
        return new Part(reading.apply(place(feed, first)), cursor != null);
    }

    /// Returns a follower that receives everything from now on. Must be closed.
    public Follower follow(EventFeed feed) {
        var tail = tails.compute(feed.name(), (name, known) -> {
            var its = known == null ? new FeedTail(database, feed, held, MAX_HELD) : known;
            its.followers++;
            return its;
        });
        return new Follower(feed, tail);
    }

    /// Waits for events. Used by one thread at a time.
    public final class Follower implements AutoCloseable {
        private final EventFeed feed;
        private final FeedTail tail;
        private long heard;

        private Follower(EventFeed feed, FeedTail tail) {
            this.feed = feed;
            this.tail = tail;
            this.heard = tail.rung();
        }

        /// Returns the place as [EventFeeds#place]; for the end, the end that this node knows of.
        public FeedPosition place(@Nullable String cursor) {
            return LATEST.equals(cursor) ? tail.end(heard) : EventFeeds.this.place(feed, cursor);
        }

        /// Reads as [EventFeeds#read], without a query if the place is close to the end.
        public Page read(EventFilter filter, FeedPosition after, int limit) {
            return tail.page(filter, after, limit, heard)
                    .orElseGet(() -> EventFeeds.this.read(feed, filter, after, limit));
        }

        /// Reads the events after a number, including every event of which this node was notified, for readers
        /// that store numbers.
        public Page read(EventFilter filter, long seq, int limit) {
            return tail.page(filter, seq, limit).orElseGet(() -> EventFeeds.this.read(feed, filter, seq, limit));
        }

        /// Waits until there are new events since this last returned true, or since the follower was created.
        ///
        /// @return false if the time has elapsed first
        public boolean await(long nanos) {
            long rung = tail.await(heard, stopped ? 0 : nanos);
            boolean isNew = rung != heard;
            heard = rung;
            return isNew;
        }

        /// Returns whether this node shuts down, so that the follower must end.
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

    /// Ends all waiting.
    public void stop() {
        stopped = true;
        ringAll();
    }

    private void ringAll() {
        tails.values().forEach(FeedTail::ring);
    }

    private void ring(String feed) {
        var tail = tails.get(feed);
        if (tail != null) {
            tail.ring();
        }
    }
}
