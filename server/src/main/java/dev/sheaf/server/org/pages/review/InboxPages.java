package dev.sheaf.server.org.pages.review;

import dev.sheaf.server.bundle.decision.ReviewInbox;
import dev.sheaf.server.bundle.review.Review;
import dev.sheaf.server.bundle.review.ReviewState;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.pages.OrgPage;
import java.util.List;
import java.util.stream.Stream;

/// The pushes of an organization that need approval.
public final class InboxPages {
    private static final int SHOWN = 50;

    private final ReviewInbox inbox;

    public InboxPages(ReviewInbox inbox) {
        this.inbox = inbox;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.own("/organizations/{org_id}/reviews", RoutePermission.READ, this::show));
    }

    private Answer show(PageCall page) {
        var org = OrgPage.of(page);
        String asked = PageFormat.text(page.query("state"));
        var state = Stream.of(ReviewState.values())
                .filter(one -> one.toString().equals(asked))
                .findFirst()
                .orElse(ReviewState.HELD);
        boolean isMine = "true".equals(page.query("mine"));
        var part = page.paging(SHOWN, "state", "mine")
                .list(
                        (before, limit) -> inbox.list(page.caller(), state, isMine, before, limit),
                        review -> review.id().toString());
        page.naming(page.names(part.data().stream().map(Review::pushedBy)));
        String chosen = state == ReviewState.HELD ? null : state.toString();
        String mine = isMine ? "true" : null;
        return org.view("Reviews", "org/pages/review/inbox", "reviews")
                .with("reviews", part.data())
                .with("state", state)
                .with("isMine", isMine)
                .with(
                        "next",
                        OrgPage.next(org.path("/reviews").with("state", chosen).with("mine", mine), part))
                .forMachines(
                        "GET " + org.api("/reviews"),
                        "sheaf review ls --org " + org.organization().handle())
                .show();
    }
}
