package dev.sheaf.server.console.bundle;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.model.wire.hub.StarStatus;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.console.Machine;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.View;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.hub.ReadmePages;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A bundle, how to get it, and its versions.
public final class BundlePages {
    private static final String BUNDLE = "/{namespace}/{bundle}";

    private final Bundles bundles;
    private final Overviews overviews;

    public BundlePages(Bundles bundles, ReadmePages readmes) {
        this.bundles = bundles;
        this.overviews = new Overviews(readmes);
    }

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.validating(BUNDLE, page -> Seen.answer(page, bundles, seen -> show(page, seen))),
                pages.open(BUNDLE + "/versions", page -> Seen.answer(page, bundles, seen -> versions(page, seen))),
                pages.form(BUNDLE + "/star", page -> star(page, Seen.of(page, bundles), true)),
                pages.form(BUNDLE + "/unstar", page -> star(page, Seen.of(page, bundles), false)));
    }

    private Answer show(PageCall page, Seen seen) {
        return seen.isPublic()
                ? page.shared(seen.number(), () -> overview(page, seen))
                : overview(page, seen).show();
    }

    private View overview(PageCall page, Seen seen) {
        page.call().pay();
        var shown = overviews.of(page, seen);
        page.naming(shown.names());
        var hub = shown.hub();
        var stars = hub == null ? null : stars(page, seen).orElse(new StarStatus(false, hub.starsCount()));
        var view = seen.view(page, "", "bundle")
                .with("shown", shown)
                .forMachines(new Machine(
                        List.of("GET " + seen.api(""), "GET " + seen.api("/downloads")),
                        List.of("sheaf info " + seen.word())));
        return stars == null ? view : view.with("stars", stars);
    }

    private static Optional<StarStatus> stars(PageCall page, Seen seen) {
        try {
            return page.viewer().isSignedIn() ? page.api().find(StarStatus.class, seen.hub("/star")) : Optional.empty();
        } catch (ProblemException e) {
            return Optional.empty(); // not a member of an organization, so without stars
        }
    }

    private Answer star(PageCall page, Seen seen, boolean starred) {
        page.form();
        String home = seen.at("").toString();
        try {
            if (starred) {
                page.api().send(Method.PUT, seen.hub("/star"), Map.of());
            } else {
                page.api().delete(seen.hub("/star"));
            }
        } catch (ProblemException e) {
            PageCall.errors(e.problem());
            return page.seeOther(
                    home, Notice.bad("The star did not change.", e.problem().detail()));
        }
        return page.seeOther(
                home,
                Notice.ok(starred ? "Your organization has starred " + seen.name() + "." : "The star is removed."));
    }

    private Answer versions(PageCall page, Seen seen) {
        var path = seen.api("/versions").with("limit", TagPages.SHOWN);
        String call = "GET " + path;
        String cursor = page.query("cursor");
        var found = page.api().list(VersionSummary.class, path.with("cursor", cursor));
        page.naming(page.names(found.data().stream().map(VersionSummary::publishedBy)));
        return seen.view(page, "Versions", "versions")
                .with("versions", found.data())
                .paged(() -> seen.at("/versions"), cursor, found.meta().nextCursor())
                .forMachines(call, "sheaf versions " + seen.word())
                .show();
    }
}
