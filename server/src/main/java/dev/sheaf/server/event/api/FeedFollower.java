package dev.sheaf.server.event.api;

import dev.sheaf.engine.http.WaitingLimit;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.event.EventFeed;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventFilter;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.FeedPosition;
import dev.sheaf.server.http.message.Call;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A reader that follows a feed for as long as the credential allows. Bound to its call.
final class FeedFollower implements AutoCloseable {
    private static final long NEVER = -1;

    private final EventFeeds feeds;
    private final EventFeed feed;
    private final Call call;
    private final EventFeeds.Follower follower;
    private final WaitingLimit.Seat seat;
    private EventFilter filter;
    private long credentials;

    /// @param seat is released when the reader closes
    FeedFollower(EventFeeds feeds, EventFeed feed, Call call, EventFilter filter, WaitingLimit.Seat seat) {
        this.feeds = feeds;
        this.feed = feed;
        this.call = call;
        this.filter = filter;
        this.seat = seat;
        this.credentials = NEVER; // it may have ended between the check and now
        this.follower = feeds.follow(feed);
    }

    EventWire.View view() {
        return EventsApi.view(feed, filter);
    }

    /// Returns the cursor of an event that the caller sees.
    String cursor(FeedPosition place) {
        return feeds.cursor(feed, place);
    }

    /// Returns the cursor of a place up to which the feed was read.
    String end(FeedPosition place) {
        return EventsApi.end(feeds, feed, place, view());
    }

    /// Returns whether the caller sees all of the feed.
    boolean seesAll() {
        return view() != EventWire.View.MEMBER;
    }

    /// Returns the events after a place.
    ///
    /// @throws ProblemException cursor-expired; or if the caller may no longer read anything
    EventFeeds.Page read(FeedPosition place, int limit) {
        renew();
        while (true) {
            var by = filter;
            var page = follower.read(by, place, limit);
            renew(); // the read may have waited, and a right that ended meanwhile must not show later events
            if (filter.equals(by)) {
                return page;
            }
        }
    }

    /// Returns the place where reading starts.
    ///
    /// @throws ProblemException invalid-cursor
    FeedPosition place(@Nullable String cursor) {
        return follower.place(cursor);
    }

    /// Updates the rights of the caller.
    private void renew() {
        long now = feeds.credentials();
        if (now == credentials && !hasEnded()) {
            return;
        }
        call.admitAgain();
        credentials = now;
        var organization = feed.organization();
        if (organization != null && !organization.equals(call.origin().organizationId())) { // no longer a member
            throw new Problem.NotFound("organization " + organization).raise();
        }
        filter = new EventFilter(filter.types(), filter.subjects(), EventsApi.reader(call, feed));
    }

    /// Returns whether the credential may have ended.
    boolean isDoubtful() {
        return credentials != feeds.credentials() || hasEnded();
    }

    private boolean hasEnded() {
        return call.caller() instanceof Caller.Known known
                && known.endsAt() != null
                && !feeds.now().isBefore(known.endsAt());
    }

    /// Returns whether the node is stopping.
    boolean isOver() {
        return follower.isOver();
    }

    /// Waits for more events, but not longer than the credential is valid.
    ///
    /// @return false if nothing arrived
    boolean await(Duration most) {
        var wait = most;
        if (call.caller() instanceof Caller.Known known && known.endsAt() != null) {
            var left = Duration.between(feeds.now(), known.endsAt()).plusMillis(1);
            wait = left.compareTo(wait) < 0 ? left : wait;
        }
        return follower.await(Math.max(0, wait.toNanos()));
    }

    @Override
    public void close() {
        follower.close();
        seat.close();
    }
}
