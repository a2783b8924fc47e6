package dev.sheaf.server.event.api;

import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.FeedPosition;
import dev.sheaf.server.http.message.Answer;
import java.time.Duration;

/// A request for events. It is answered when there are some or when its time is over. Bound to its call.
final class EventPoll implements Answer.Waiting {
    private final FeedFollower reader;
    private final int limit;
    private final Shown shown;
    private final long deadline;
    private FeedPosition place;

    /// Renders the answer.
    interface Shown {
        Answer of(EventFeeds.Page page, EventWire.View view);
    }

    /// @param place the events after it are read
    EventPoll(FeedFollower reader, FeedPosition place, int limit, Duration wait, Shown shown) {
        this.reader = reader;
        this.place = place;
        this.limit = limit;
        this.shown = shown;
        this.deadline = System.nanoTime() + wait.toNanos();
    }

    /// Returns the answer; it may wait first.
    Answer answer() {
        var page = reader.read(place, limit);
        while (page.events().isEmpty() && page.hasMore() && left() > 0) {
            page = reader.read(page.end(), limit);
        }
        if (page.events().isEmpty() && left() > 0 && !reader.isOver()) {
            place = page.end();
            return Answer.later(this, this::answer);
        }
        return shown.of(page, reader.view());
    }

    private long left() {
        return deadline - System.nanoTime();
    }

    @Override
    public void await() {
        reader.await(Duration.ofNanos(Math.max(0, left())));
    }

    @Override
    public void close() {
        reader.close();
    }
}
