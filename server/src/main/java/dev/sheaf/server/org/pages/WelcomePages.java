package dev.sheaf.server.org.pages;

import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;

/// The first steps of a member. Each is ticked when the registry sees it happen.
public final class WelcomePages {
    /// Where a member begins, whatever the organization.
    public static final String PATH = "/welcome";

    private static final String DONE = "done";

    private final FirstSteps steps;

    public WelcomePages(FirstSteps steps) {
        this.steps = steps;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(PATH, WelcomePages::begin),
                pages.own("/organizations/{org_id}/welcome", page -> show(OrgPage.of(page))));
    }

    private static Answer begin(PageCall page) {
        var own = page.viewer().organizations();
        return page.seeOther(
                own.isEmpty()
                        ? "/organizations"
                        : ApiPath.of("/organizations/{}/welcome", own.getFirst().handle())
                                .toString());
    }

    private Answer show(OrgPage org) {
        var page = org.page();
        var all = steps.of(org, page.call().baseUrl());
        int done = (int) all.stream().filter(FirstSteps.Step::isDone).count();
        String known = page.query(DONE);
        if (known != null) {
            return progress(known, done);
        }
        String name = page.viewer().name();
        return page.view("Welcome", "org/pages/welcome")
                .with("name", name)
                .with("org", org.organization())
                .with("steps", all)
                .with("done", done)
                .with("isAdmin", org.isAdmin())
                .with("here", org.path("/welcome").toString())
                .in("organization")
                .forMachines("GET /v1/users/me", "sheaf whoami")
                .show();
    }

    /// Answers the page's question whether another step is done: then it is loaded again.
    private static Answer progress(String known, int done) {
        var answer = Answer.empty(204).with("Cache-Control", "no-store");
        return known.equals(Integer.toString(done)) ? answer : answer.with("HX-Refresh", "true");
    }
}
