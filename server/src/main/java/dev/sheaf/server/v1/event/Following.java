package dev.sheaf.server.v1.event;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.event.EventFilter;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.Feed;
import dev.sheaf.server.event.Feeds;
import dev.sheaf.server.event.Place;
import dev.sheaf.server.http.message.Call;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Somebody who follows a feed for as long as the credential allows. Bound to its call.
final class Following implements AutoCloseable {
    private static final long NEVER = -1;

    private final Feeds feeds;
    private final Feed feed;
    private final Call call;
    private final Feeds.Follower follower;
    private final Seats.Seat seat;
    private EventFilter filter;
    private long credentials;

    /// @param seat where it waits, which it gives back
    Following(Feeds feeds, Feed feed, Call call, EventFilter filter, Seats.Seat seat) {
        this.feeds = feeds;
        this.feed = feed;
        this.call = call;
        this.filter = filter;
        this.seat = seat;
        this.credentials = NEVER; // it may have ended between the look at it and now
        this.follower = feeds.follow(feed);
    }

    EventWire.View view() {
        return EventsApi.view(feed, filter);
    }

    /// Of an event that the caller is shown.
    String cursor(Place place) {
        return feeds.cursor(feed, place);
    }

    /// Of a place up to which the feed was looked at.
    String end(Place place) {
        return EventsApi.end(feeds, feed, place, view());
    }

    /// Whether nothing of the feed is hidden.
    boolean seesAll() {
        return view() != EventWire.View.MEMBER;
    }

    /// The events behind a place.
    ///
    /// @throws ProblemException cursor-expired; or where the caller may read nothing any more
    Feeds.Page read(Place place, int limit) {
        renew();
        while (true) {
            var by = filter;
            var page = follower.read(by, place, limit);
            renew(); // the read may have waited, and a right that ended meanwhile shows nothing of what came after
            if (filter.equals(by)) {
                return page;
            }
        }
    }

    /// Where to begin.
    ///
    /// @throws ProblemException invalid-cursor
    Place place(@Nullable String cursor) {
        return follower.place(cursor);
    }

    /// What the caller may read now.
    private void renew() {
        long now = feeds.credentials();
        if (now == credentials && !hasEnded()) {
            return;
        }
        call.admitAgain();
        credentials = now;
        var organization = feed.organization();
        if (organization != null && !organization.equals(call.origin().organizationId())) { // a member no more
            throw new Problem.NotFound("organization " + organization).raise();
        }
        filter = new EventFilter(filter.types(), filter.subjects(), EventsApi.reader(call, feed));
    }

    /// Whether the credential may be one no more.
    boolean isDoubtful() {
        return credentials != feeds.credentials() || hasEnded();
    }

    private boolean hasEnded() {
        return call.caller() instanceof Caller.Known known
                && known.endsAt() != null
                && !feeds.now().isBefore(known.endsAt());
    }

    /// Whether the node ends.
    boolean isOver() {
        return follower.isOver();
    }

    /// Waits for more to come, and no longer than the credential is good.
    ///
    /// @return false where nothing came
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
