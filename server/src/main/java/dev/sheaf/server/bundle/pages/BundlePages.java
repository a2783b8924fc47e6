package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.model.wire.hub.StarStatus;
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
import java.util.Optional;

/// A bundle, how to get it, and its versions.
public final class BundlePages {
    private static final String BUNDLE = "/{namespace}/{bundle}";

    private final BundleReader bundles;
    private final BundleStars stars;
    private final OverviewCache overviews;

    public BundlePages(BundleReader bundles, Hub hub, BundleStars stars, ReadmePages readmes) {
        this.bundles = bundles;
        this.stars = stars;
        this.overviews = new OverviewCache(bundles, hub, readmes);
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.validating(BUNDLE, page -> VisibleBundle.answer(page, bundles, seen -> show(page, seen))),
                pages.open(
                        BUNDLE + "/versions",
                        page -> VisibleBundle.answer(page, bundles, seen -> versions(page, seen))),
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
        var starred = hub == null ? null : stars(page, seen).orElse(new StarStatus(false, hub.starsCount()));
        var view = seen.view(page, "", "bundle")
                .with("shown", shown)
                .forMachines(new ApiEquivalent(
                        List.of("GET " + seen.api(""), "GET " + seen.api("/downloads")),
                        List.of("sheaf info " + seen.word())));
        return starred == null ? view : view.with("stars", starred);
    }

    private Optional<StarStatus> stars(PageCall page, VisibleBundle seen) {
        try {
            return page.viewer().isSignedIn() ? Optional.of(stars.get(page.caller(), seen.name())) : Optional.empty();
        } catch (ProblemException e) {
            return Optional.empty(); // no longer at the hub
        }
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

    private Answer versions(PageCall page, VisibleBundle seen) {
        String call = "GET " + seen.api("/versions").with("limit", TagPages.SHOWN);
        String cursor = page.query("cursor");
        var found = bundles.versions(page, seen.snapshot(), page.paging(TagPages.SHOWN));
        page.naming(page.names(found.data().stream().map(VersionSummary::publishedBy)));
        return seen.view(page, "Versions", "versions")
                .with("versions", found.data())
                .paged(() -> seen.at("/versions"), cursor, found.meta().nextCursor())
                .forMachines(call, "sheaf versions " + seen.word())
                .show();
    }
}
