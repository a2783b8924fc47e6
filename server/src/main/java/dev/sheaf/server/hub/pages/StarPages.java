package dev.sheaf.server.hub.pages;

import dev.sheaf.server.bundle.api.AssetWords;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.hub.BundleStars;
import dev.sheaf.server.hub.SearchMarks;
import java.util.List;
import java.util.Objects;

/// The bundles that the viewer has starred.
public final class StarPages {
    private static final int SHOWN = 20;
    private static final String PATH = "/account/stars";

    private final BundleStars stars;

    public StarPages(BundleStars stars) {
        this.stars = stars;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.own(PATH, this::show));
    }

    private Answer show(PageCall page) {
        var user = Objects.requireNonNull(page.viewer().user());
        var paging = page.paging(SHOWN);
        var found = stars.of(user.id(), paging.after(), SHOWN);
        var words = AssetWords.of(page.call());
        var list = paging.list(
                found.bundles().stream()
                        .map(entry -> SearchResults.row(SearchMarks.NONE, words, entry, List.of()))
                        .toList(),
                found.last());
        return page.view("Stars", "hub/pages/stars")
                .with("rows", list.data())
                .paged(() -> ApiPath.of(PATH), page.query("cursor"), list.meta().nextCursor())
                .in("account")
                .forMachines("GET /v1/hub/me/stars", "")
                .show();
    }
}
