package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.Problem;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFrame;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.console.work.EventWords;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.event.EventFeed;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventFilter;
import dev.sheaf.server.event.FeedRow;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;

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
        var feed = feed(seen);
        String name = seen.name().toString();
        String cursor = page.query("cursor");
        var part = feeds.newest(feed, filter(seen, EventFilter.Reader.of(page.caller())), cursor, OrgCall.SHOWN);
        var found = part.page();
        return seen.view(page, "Activity", "activity")
                .with("head", bundles.head(page, seen))
                .with("happenings", words.of(page, found.events()))
                .with("isFirst", cursor == null || part.isExpired())
                .with("isExpired", part.isExpired())
                .with(
                        "next",
                        !found.hasMore() ? "" : OrgCall.next(seen.at("/activity"), feeds.veiled(feed, found.end())))
                .forMachines(
                        "GET "
                                + ApiPath.of(
                                                "/v1/organizations/{}/events",
                                                seen.snapshot().organizationId().toString())
                                        .with("subject", name + ":*"),
                        "sheaf events tail --subject " + ShellQuoting.quote(name + ":*"))
                .show();
    }

    /// Returns the newest events, which all members of the organization may read.
    public List<FeedRow> newest(VisibleBundle seen, int limit) {
        return feeds.newest(feed(seen), filter(seen, EventFilter.Reader.ANYBODY), (String) null, limit)
                .page()
                .events();
    }

    /// Returns events in words.
    public List<EventWords.Happening> inWords(List<FeedRow> rows, PageFrame.Names names) {
        return words.of(rows, names);
    }

    private static EventFeed feed(VisibleBundle seen) {
        return new EventFeed(seen.snapshot().organizationId());
    }

    /// The subject of an event is the bundle, NAME:VERSION, NAME:TAG or NAME@DIGEST.
    private static EventFilter filter(VisibleBundle seen, EventFilter.Reader reader) {
        String name = seen.name().toString();
        return new EventFilter(TYPES, List.of(name, name + ":*", name + "@*"), reader);
    }
}
