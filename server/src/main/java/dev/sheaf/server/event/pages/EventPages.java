package dev.sheaf.server.event.pages;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.org.EventRecord;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.LongText;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.EventWords;
import dev.sheaf.server.console.work.JobFormat;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.event.EventFeed;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventFilter;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.api.EventsApi;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The events of an organization, past and live.
public final class EventPages {
    private static final String LATEST = "latest";
    private static final int MOST_OF_DATA = 800; // bytes of a page for each of fifty events

    private final EventFeeds feeds;
    private final EventWire wire;

    public EventPages(EventFeeds feeds, EventWire wire) {
        this.feeds = feeds;
        this.wire = wire;
    }

    /// The request.
    ///
    /// @param types the types, separated by commas; empty means all
    /// @param subject the subject; empty means any
    /// @param isOldestFirst whether the list begins at the oldest stored event
    public record Asked(String types, String subject, boolean isOldestFirst) {
        ApiPath call(ApiPath path, @Nullable String cursor) {
            var filtered = path.with("types", types).with("subject", subject);
            return isOldestFirst
                    ? filtered.with("after", cursor)
                    : filtered.with("before", cursor == null ? LATEST : cursor);
        }

        ApiPath page(String place) {
            return ApiPath.of(place)
                    .with("types", types)
                    .with("subject", subject)
                    .with("order", isOldestFirst ? "oldest" : null);
        }

        /// Returns the link to the same events with other types.
        public String of(String place, String others) {
            return new Asked(others, subject, isOldestFirst).page(place).toString();
        }
    }

    /// An event as a page shows it.
    ///
    /// @param subject what it is about, by its name where the event has one
    /// @param actor the person or key that caused it; empty if unknown
    /// @param kind the kind of the actor; empty for a person
    public record Shown(EventRecord event, String subject, String actor, String kind, LongText data) {
        static Shown of(EventRecord event) {
            var known = event.data().get("actor") instanceof EventRecord.Actor actor ? actor : null;
            String name = known == null ? "" : PageFormat.text(known.name() == null ? known.id() : known.name());
            return new Shown(
                    event,
                    JobFormat.isId(event.subject()) ? EventWords.subject(event) : PageFormat.visible(event.subject()),
                    PageFormat.visible(name),
                    known == null || known.type().equals("user")
                            ? ""
                            : known.type().replace('_', ' '),
                    LongText.json(event.data(), MOST_OF_DATA));
        }
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.own(
                "/organizations/{org_id}/events", RoutePermission.READ, page -> list(new OrgCall(page), page)));
    }

    private EventFeeds.Part events(PageCall page, EventFeed feed, EventFilter filter, Asked asked) {
        String cursor = page.query("cursor");
        return asked.isOldestFirst()
                ? feeds.oldest(feed, filter, cursor, OrgCall.SHOWN)
                : feeds.newest(feed, filter, cursor, OrgCall.SHOWN);
    }

    private static EventFilter filter(PageCall page, Asked asked) {
        return EventFilter.read(
                asked.types().isEmpty() ? List.of() : List.of(asked.types()),
                asked.subject().isEmpty() ? null : asked.subject(),
                EventFilter.Reader.of(page.caller()));
    }

    private Answer list(OrgCall call, PageCall page) {
        String cursor = page.query("cursor");
        var asked = new Asked(
                PageFormat.text(page.query("types")).strip(),
                PageFormat.text(page.query("subject")).strip(),
                "oldest".equals(page.query("order")));
        String place = call.link("/events");
        var errors = FormErrors.NONE;
        List<Shown> events = List.of();
        String next = "";
        boolean isExpired = false;
        try {
            var feed = new EventFeed(page.caller().organizationId());
            var filter = filter(page, asked);
            var part = events(page, feed, filter, asked);
            isExpired = part.isExpired();
            var found = EventsApi.records(feeds, wire, feed, part.page(), EventsApi.view(feed, filter));
            events = found.data().stream().map(Shown::of).toList();
            next = found.meta().hasMore()
                    ? OrgCall.next(asked.page(place), found.meta().nextCursor())
                    : "";
        } catch (ProblemException e) {
            errors = PageCall.errors(e.problem(), "types", "subject");
        }
        return call.view("Events", "event/pages/events", "events")
                .with("asked", asked)
                .with("place", place)
                .with("here", asked.page(place).toString())
                .with("isFirst", cursor == null || isExpired)
                .with("isExpired", isExpired)
                .with("isLive", cursor == null && !asked.isOldestFirst() && errors.isEmpty())
                .with("events", events)
                .with("next", next)
                .with("errors", errors)
                .forMachines("GET " + asked.call(call.path("/events"), isExpired ? null : cursor), "sheaf events tail")
                .refused(errors)
                .show();
    }
}
