package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.console.work.EventWords;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.event.EventFeed;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventFilter;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.Optional;

/// What happened to a bundle, from the events of its organization, for members who may read them.
public final class BundleActivity {
    private static final List<String> TYPES = List.of("bundle.*", "version.*", "tag.*", "manifest.*");

    private final BundleReader bundles;
    private final EventFeeds feeds;
    private final EventWords words;

    public BundleActivity(BundleReader bundles, EventFeeds feeds, EventWords words) {
        this.bundles = bundles;
        this.feeds = feeds;
        this.words = words;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.own("/{namespace}/{bundle}/activity", this::list));
    }

    private Answer list(PageCall page) {
        var seen = VisibleBundle.of(page, bundles);
        if (!seen.isInside()) {
            throw new Problem.NotFound("the activity of the bundle").raise();
        }
        var feed = new EventFeed(seen.snapshot().organizationId());
        String name = seen.name().toString();
        // the subject of an event is the bundle, NAME:VERSION, NAME:TAG or NAME@DIGEST
        var filter =
                new EventFilter(TYPES, List.of(name, name + ":*", name + "@*"), EventFilter.Reader.of(page.caller()));
        String cursor = page.query("cursor");
        var kept = cursor == null ? Optional.<EventFeeds.Page>empty() : kept(feed, filter, cursor);
        var part = kept.orElseGet(() -> part(feed, filter, EventFeeds.LATEST));
        var rows = part.events();
        return seen.view(page, "Activity", "activity")
                .with("head", bundles.head(page, seen))
                .with("happenings", words.of(page, rows))
                .with("isFirst", kept.isEmpty())
                .with("isExpired", cursor != null && kept.isEmpty())
                .with("next", !part.hasMore() ? "" : OrgCall.next(seen.at("/activity"), feeds.veiled(feed, part.end())))
                .forMachines(
                        "GET "
                                + ApiPath.of(
                                                "/v1/organizations/{}/events",
                                                seen.snapshot().organizationId().toString())
                                        .with("subject", name + ":*"),
                        "sheaf events tail --subject " + ShellQuoting.quote(name + ":*"))
                .show();
    }

    private EventFeeds.Page part(EventFeed feed, EventFilter filter, String cursor) {
        return feeds.newest(feed, filter, feeds.place(feed, cursor), OrgCall.SHOWN);
    }

    /// Returns the events up to a cursor; empty if they are no longer kept.
    private Optional<EventFeeds.Page> kept(EventFeed feed, EventFilter filter, String cursor) {
        try {
            return Optional.of(part(feed, filter, cursor));
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.CursorExpired) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
