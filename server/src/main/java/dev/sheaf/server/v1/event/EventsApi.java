package dev.sheaf.server.v1.event;

import static dev.sheaf.server.http.message.Method.GET;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.Page;
import dev.sheaf.server.event.EventFilter;
import dev.sheaf.server.event.EventNames;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.Feed;
import dev.sheaf.server.event.Feeds;
import dev.sheaf.server.event.Place;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Negotiation;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/// Events, oldest first unless `before` is given: of an organization for its readers, and of public bundles for
/// everyone. As pages, which wait for events on request, or as a stream.
public final class EventsApi {
    private static final String JSON = "application/json";
    private static final int LONGEST_WAIT = 30;
    private static final int LONGEST = 500;
    private static final int MOST_TYPES = 50;

    private final Feeds feeds;
    private final EventWire wire;
    private final Seats seats;

    /// @param seats for waiting requests
    public EventsApi(Feeds feeds, EventWire wire, Seats seats) {
        this.feeds = feeds;
        this.wire = wire;
        this.seats = seats;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/organizations/{org_id}/events", Need.READ, this::ofOrganization).waiting(),
                new Route(GET, "/v1/hub/events", Need.PUBLIC_READ, this::ofHub).waiting());
    }

    private Answer ofOrganization(Call call) {
        return answer(call, new Feed(call.organization()));
    }

    private Answer ofHub(Call call) {
        return answer(call, Feed.HUB);
    }

    private Answer answer(Call call, Feed feed) {
        var filter = filter(call, feed);
        String type = Negotiation.choose(call, List.of(JSON, EventStream.TYPE));
        var before = call.query("before");
        if (before.isPresent()) {
            return newest(call, feed, filter, before.get());
        }
        return type.equals(EventStream.TYPE) ? stream(call, feed, filter) : page(call, feed, filter);
    }

    /// Returns the latest events, for callers who look once and do not follow.
    private Answer newest(Call call, Feed feed, EventFilter filter, String before) {
        for (String other : List.of("after", "wait")) {
            if (call.query(other).isPresent()) {
                throw new Problem.ValidationFailed(List.of(
                                new Problem.FieldError(other, "conflict", "cannot be sent together with \"before\"")))
                        .raise();
            }
        }
        var page = feeds.newest(feed, filter, feeds.place(feed, before), Paging.limitOf(call));
        return shown(page, view(feed, filter), call, feed);
    }

    private Answer stream(Call call, Feed feed, EventFilter filter) {
        var cursor = call.header("Last-Event-ID").or(() -> call.query("after"));
        return following(call, feed, filter, reader -> {
            var place = reader.place(cursor.orElse(null));
            reader.read(place, 1); // reports an expired cursor while a status can still be sent
            return EventStream.answer(new EventStream(reader, wire, place));
        });
    }

    private Answer page(Call call, Feed feed, EventFilter filter) {
        int limit = Paging.limitOf(call);
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
    private Answer following(Call call, Feed feed, EventFilter filter, Function<Following, Answer> answer) {
        var reader = new Following(feeds, feed, call, filter, seats.take(call));
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

    private Answer shown(Feeds.Page page, EventWire.View view, Call call, Feed feed) {
        var events = page.events().stream().map(row -> wire.show(row, view)).toList();
        String next = end(feeds, feed, page.end(), view);
        var answer = Answer.ok(new Page<>(events, new Page.Meta(next, page.hasMore())))
                .with("Cache-Control", "private, no-store");
        String parameter = call.query("before").isPresent() ? "before" : "after";
        return page.hasMore() ? answer.with("Link", Paging.link(call, parameter, next)) : answer;
    }

    /// Returns the cursor of a place up to which a feed was read. For a caller who does not see all events, no
    /// two cursors are equal: equal ones would reveal that nothing happened in between.
    static String end(Feeds feeds, Feed feed, Place place, EventWire.View view) {
        return view == EventWire.View.MEMBER ? feeds.veiled(feed, place) : feeds.cursor(feed, place);
    }

    static EventWire.View view(Feed feed, EventFilter filter) {
        if (feed.equals(Feed.HUB)) {
            return EventWire.View.HUB;
        }
        return filter.reader().seesAll() ? EventWire.View.ADMIN : EventWire.View.MEMBER;
    }

    static EventFilter filter(Call call, Feed feed) {
        var types = call.queryAll("types").stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .toList();
        if (types.size() > MOST_TYPES || !types.stream().allMatch(type -> type.matches("[a-z_.]{1,100}\\*?|\\*"))) {
            throw new Problem.ValidationFailed(List.of(new Problem.FieldError(
                            "types",
                            "format",
                            "must be up to " + MOST_TYPES + " types separated by commas, such as version.published or"
                                    + " version.*, one trailing * allowed")))
                    .raise();
        }
        types.stream().filter(type -> !EventNames.isKnown(type)).findFirst().ifPresent(type -> {
            var error = new Problem.FieldError("types", "unknown", EventNames.unknown(type));
            throw new Problem.ValidationFailed(List.of(error)).raise();
        });
        var subject = call.query("subject", EventsApi::subject).map(List::of).orElse(List.of());
        return new EventFilter(types, subject, reader(call, feed));
    }

    static EventFilter.Reader reader(Call call, Feed feed) {
        return feed.equals(Feed.HUB)
                ? EventFilter.Reader.ANYBODY
                : EventFilter.Reader.of(call.origin().caller());
    }

    private static String subject(String text) {
        if (text.isEmpty() || text.length() > LONGEST || text.indexOf('\0') >= 0) {
            throw Problem.invalid("range", "must have 1 to " + LONGEST + " characters");
        }
        return text;
    }

    private static Duration wait(String text) {
        if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) > LONGEST_WAIT) {
            throw Problem.invalid("range", "must be a number of seconds from 0 to " + LONGEST_WAIT);
        }
        return Duration.ofSeconds(Integer.parseInt(text));
    }
}
