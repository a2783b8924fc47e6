package dev.sheaf.server.event.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.engine.http.WaitingLimit;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.org.EventRecord;
import dev.sheaf.server.event.EventFeed;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventFilter;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.FeedPosition;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ContentNegotiation;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/// Events, oldest first unless `before` is given: of an organization for its readers, and of public bundles for
/// everyone. As pages, which wait for events on request, or as a stream.
public final class EventsApi {
    private static final String JSON = "application/json";
    private static final int LONGEST_WAIT = 30;

    private final EventFeeds feeds;
    private final EventWire wire;
    private final WaitingLimit seats;

    /// @param seats for waiting requests
    public EventsApi(EventFeeds feeds, EventWire wire, WaitingLimit seats) {
        this.feeds = feeds;
        this.wire = wire;
        this.seats = seats;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/organizations/{org_id}/events", RoutePermission.READ, this::ofOrganization)
                        .waiting(),
                new Route(GET, "/v1/hub/events", RoutePermission.PUBLIC_READ, this::ofHub).waiting());
    }

    private Answer ofOrganization(Call call) {
        return answer(call, new EventFeed(call.organization()));
    }

    private Answer ofHub(Call call) {
        return answer(call, EventFeed.HUB);
    }

    private Answer answer(Call call, EventFeed feed) {
        var filter = filter(call, feed);
        String type = ContentNegotiation.choose(call, List.of(JSON, EventStream.TYPE));
        var before = call.query("before");
        if (before.isPresent()) {
            return newest(call, feed, filter, before.get());
        }
        return type.equals(EventStream.TYPE) ? stream(call, feed, filter) : page(call, feed, filter);
    }

    /// Returns the latest events, for callers who look once and do not follow.
    private Answer newest(Call call, EventFeed feed, EventFilter filter, String before) {
        for (String other : List.of("after", "wait")) {
            if (call.query(other).isPresent()) {
                throw new Problem.ValidationFailed(List.of(
                                new Problem.FieldError(other, "conflict", "cannot be sent together with \"before\"")))
                        .raise();
            }
        }
        var page = feeds.newest(feed, filter, feeds.place(feed, before), PageRequest.limitOf(call));
        return shown(page, view(feed, filter), call, feed);
    }

    private Answer stream(Call call, EventFeed feed, EventFilter filter) {
        var cursor = call.header("Last-Event-ID").or(() -> call.query("after"));
        return following(call, feed, filter, reader -> {
            var place = reader.place(cursor.orElse(null));
            reader.read(place, 1); // reports an expired cursor while a status can still be sent
            return EventStream.answer(new EventStream(reader, wire, place));
        });
    }

    private Answer page(Call call, EventFeed feed, EventFilter filter) {
        int limit = PageRequest.limitOf(call);
        var wait = call.query("wait", EventsApi::wait).orElse(Duration.ZERO);
        String after = call.query("after").orElse(null);
        if (call.isHead() || wait.isZero()) {
            var page = feeds.read(feed, filter, feeds.place(feed, after), limit);
            return shown(page, view(feed, filter), call, feed);
        }
        return following(
                call,
                feed,
                filter,
                reader -> new EventPoll(
                                reader,
                                reader.place(after),
                                limit,
                                wait,
                                (page, view) -> shown(page, view, call, feed).unbuffered())
                        .answer());
    }

    /// Answers a request that follows the feed for as long as it waits.
    private Answer following(Call call, EventFeed feed, EventFilter filter, Function<FeedFollower, Answer> answer) {
        var reader = new FeedFollower(feeds, feed, call, filter, seats.take(call.holder()));
        boolean waits = false;
        try {
            var given = answer.apply(reader);
            waits = !(given.body() instanceof Answer.Body.Json);
            return given;
        } finally {
            if (!waits) {
                reader.close();
            }
        }
    }

    private Answer shown(EventFeeds.Page page, EventWire.View view, Call call, EventFeed feed) {
        var records = records(feeds, wire, feed, page, view);
        var answer = Answer.ok(records).with("Cache-Control", "private, no-store");
        String parameter = call.query("before").isPresent() ? "before" : "after";
        String next = String.valueOf(records.meta().nextCursor());
        return page.hasMore() ? answer.with("Link", PageRequest.link(call, parameter, next)) : answer;
    }

    /// Returns events as records, with the cursor of the place up to which the feed was read.
    public static Page<EventRecord> records(
            EventFeeds feeds, EventWire wire, EventFeed feed, EventFeeds.Page page, EventWire.View view) {
        var events = page.events().stream().map(row -> wire.show(row, view)).toList();
        return new Page<>(events, new Page.Meta(end(feeds, feed, page.end(), view), page.hasMore()));
    }

    /// Returns the cursor of a place up to which a feed was read. For a caller who does not see all events, no
    /// two cursors are equal: equal ones would reveal that nothing happened in between.
    static String end(EventFeeds feeds, EventFeed feed, FeedPosition place, EventWire.View view) {
        return view == EventWire.View.MEMBER ? feeds.veiled(feed, place) : feeds.cursor(feed, place);
    }

    /// Returns how much of each event a reader sees.
    public static EventWire.View view(EventFeed feed, EventFilter filter) {
        if (feed.equals(EventFeed.HUB)) {
            return EventWire.View.HUB;
        }
        return filter.reader().seesAll() ? EventWire.View.ADMIN : EventWire.View.MEMBER;
    }

    static EventFilter filter(Call call, EventFeed feed) {
        return EventFilter.read(call.queryAll("types"), call.query("subject").orElse(null), reader(call, feed));
    }

    static EventFilter.Reader reader(Call call, EventFeed feed) {
        return feed.equals(EventFeed.HUB)
                ? EventFilter.Reader.ANYBODY
                : EventFilter.Reader.of(call.origin().caller());
    }

    private static Duration wait(String text) {
        if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) > LONGEST_WAIT) {
            throw Problem.invalid("range", "must be a number of seconds from 0 to " + LONGEST_WAIT);
        }
        return Duration.ofSeconds(Integer.parseInt(text));
    }
}
