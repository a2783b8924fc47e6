package dev.sheaf.server.hub.pages;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.bundle.Advisory;
import dev.sheaf.server.bundle.api.AdvisoriesApi;
import dev.sheaf.server.bundle.recall.Advisories;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;

/// What a publisher recalled.
public final class AdvisoryPages {
    private static final int SHOWN = 50;

    private final Advisories advisories;

    public AdvisoryPages(Advisories advisories) {
        this.advisories = advisories;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.open("/advisories/{namespace}", this::show));
    }

    private Answer show(PageCall page) {
        var namespace = page.parameter("namespace", Namespace::parse);
        var found = found(page, namespace);
        String name = namespace.value();
        return page.view("Recalls of " + name, "hub/pages/advisories")
                .with("namespace", name)
                .with("advisories", found.data())
                .paged(
                        () -> ApiPath.of("/advisories/{}", name),
                        page.query("cursor"),
                        found.meta().nextCursor())
                .forEverybody()
                .followedAt(
                        ApiPath.of("/v1/namespaces/{}/advisories.atom", name).toString())
                .in("browse")
                .forMachines(
                        "GET " + ApiPath.of("/v1/namespaces/{}/advisories", name),
                        "sheaf advisories " + ShellQuoting.quote(name))
                .show();
    }

    /// Returns the recalls. Missing and hidden publishers look the same, even to readers who are not signed in.
    private Page<Advisory> found(PageCall page, Namespace namespace) {
        try {
            var paging = page.paging(SHOWN);
            var after = AdvisoriesApi.after(paging.after());
            var rows = advisories.list(page.call().caller(), namespace, after, paging.fetch());
            return paging.list(rows, AdvisoriesApi::key, AdvisoriesApi::wire);
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Unauthenticated) {
                throw new Problem.NotFound("the publisher").raise();
            }
            throw e;
        }
    }
}
