package dev.sheaf.server.hub.pages;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.bundle.api.BundleRecords;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.hub.Hub;
import java.util.List;

/// A publisher: the bundles of a namespace that the reader may see.
public final class PublisherPages {
    private static final int SHOWN = 50;

    private final BundleList list;
    private final Hub hub;

    public PublisherPages(BundleList list, Hub hub) {
        this.list = list;
        this.hub = hub;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.open("/{namespace}", this::show));
    }

    private Answer show(PageCall page) {
        String namespace = page.parameter("namespace");
        String call =
                "GET " + ApiPath.of("/v1/namespaces/{}/bundles", namespace).with("limit", SHOWN);
        String cursor = page.query("cursor");
        var name = page.parameter("namespace", Namespace::parse);
        var found = bundles(page, name);
        var listed = hub.page(new Hub.Filter(null, null, name, null), Hub.Sort.RELEVANCE, null, 1);
        return page.view(namespace, "hub/pages/publisher")
                .with("namespace", namespace)
                .with(
                        "displayName",
                        listed.isEmpty() ? "" : listed.getFirst().entry().publisher())
                .with("hasFeed", !listed.isEmpty())
                .with("bundles", found.data())
                .paged(() -> ApiPath.of("/{}", namespace), cursor, found.meta().nextCursor())
                .forEverybody()
                .in("browse")
                .forMachines(call, "sheaf bundles list " + ShellQuoting.quote(namespace))
                .show();
    }

    /// Returns the bundles. Missing and hidden publishers look the same, even to readers who are not signed in.
    private Page<BundleRecord> bundles(PageCall page, Namespace name) {
        try {
            var paging = page.paging(SHOWN);
            var rows = list.list(page.call().caller(), name, BundleList.Filter.ALL, paging.after(), paging.fetch());
            return paging.list(rows, row -> row.name().bundle().value(), BundleRecords::listed);
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Unauthenticated) {
                throw new Problem.NotFound("the publisher").raise();
            }
            throw e;
        }
    }
}
