package dev.sheaf.server.bundle.pages.overview;

import dev.sheaf.model.ProblemException;
import dev.sheaf.server.bundle.decision.ReviewInbox;
import dev.sheaf.server.bundle.pages.BundleActivity;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.VisibleBundle;
import dev.sheaf.server.console.ApiEquivalent;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.PageView;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.hub.BundleStars;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.ReadmePages;
import java.util.List;

/// The first page of a bundle: what it is, and how to get it.
public final class BundlePages {
    private static final String BUNDLE = "/{namespace}/{bundle}";

    private final BundleReader bundles;
    private final BundleStars stars;
    private final ReviewInbox inbox;
    private final OverviewCache overviews;

    public BundlePages(
            BundleReader bundles,
            Hub hub,
            BundleStars stars,
            BundleActivity activity,
            ReadmePages readmes,
            ReviewInbox inbox) {
        this.bundles = bundles;
        this.stars = stars;
        this.inbox = inbox;
        this.overviews = new OverviewCache(bundles, hub, activity, readmes);
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.validating(BUNDLE, page -> VisibleBundle.answer(page, bundles, seen -> show(page, seen))),
                pages.form(BUNDLE + "/star", page -> star(page, VisibleBundle.of(page, bundles), true)),
                pages.form(BUNDLE + "/unstar", page -> star(page, VisibleBundle.of(page, bundles), false)));
    }

    private Answer show(PageCall page, VisibleBundle seen) {
        return seen.isPublic()
                ? page.shared(seen.number(), () -> overview(page, seen))
                : overview(page, seen).show();
    }

    private PageView overview(PageCall page, VisibleBundle seen) {
        page.call().pay();
        var shown = overviews.of(page, seen);
        page.naming(shown.names());
        var hub = shown.hub();
        var head = bundles.head(page, seen);
        return seen.view(page, "", "overview/overview")
                .with("head", hub == null ? head : head.withStars(hub.starsCount()))
                .with("shown", shown)
                .with("waiting", seen.canWrite() ? inbox.waiting(seen.snapshot().repository()) : List.of())
                .followedAt(hub == null ? "" : seen.hub("/feed.atom").toString())
                .forMachines(new ApiEquivalent(
                        List.of("GET " + seen.api(""), "GET " + seen.api("/downloads")),
                        List.of("sheaf info " + seen.word())));
    }

    private Answer star(PageCall page, VisibleBundle seen, boolean starred) {
        String home = seen.at("").toString();
        try {
            stars.set(page.origin(), seen.name(), starred, any -> {});
        } catch (ProblemException e) {
            PageCall.errors(e.problem());
            return page.seeOther(
                    home, PageNotice.bad("The star did not change.", e.problem().detail()));
        }
        return page.seeOther(
                home, PageNotice.ok(starred ? "You have starred " + seen.name() + "." : "Your star is removed."));
    }
}
