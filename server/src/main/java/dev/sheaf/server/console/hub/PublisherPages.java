package dev.sheaf.server.console.hub;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.hub.HubBundle;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Shell;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;

/// A publisher: the bundles of a namespace that the reader may see.
public final class PublisherPages {
    private static final int SHOWN = 50;

    public List<Route> routes(Pages pages) {
        return List.of(pages.open("/{namespace}", this::show));
    }

    private Answer show(PageCall page) {
        String namespace = page.parameter("namespace");
        var path = ApiPath.of("/v1/namespaces/{}/bundles", namespace).with("limit", SHOWN);
        String call = "GET " + path;
        String cursor = page.query("cursor");
        var found = bundles(page, path.with("cursor", cursor));
        var listed = page.api()
                .list(
                        HubBundle.class,
                        ApiPath.of("/v1/hub/publishers/{}/bundles", namespace).with("limit", 1))
                .data();
        return page.view(namespace, "hub/publisher")
                .with("namespace", namespace)
                .with(
                        "displayName",
                        listed.isEmpty() ? "" : listed.getFirst().publisher().displayName())
                .with("hasFeed", !listed.isEmpty())
                .with("bundles", found.data())
                .paged(() -> ApiPath.of("/{}", namespace), cursor, found.meta().nextCursor())
                .forEverybody()
                .in("browse")
                .forMachines(call, "sheaf bundles list " + Shell.quote(namespace))
                .show();
    }

    /// Returns the bundles. Missing and hidden publishers look the same, even to readers who are not signed in.
    private static Page<BundleRecord> bundles(PageCall page, ApiPath path) {
        try {
            return page.api().list(BundleRecord.class, path);
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Unauthenticated) {
                throw new Problem.NotFound("the publisher").raise();
            }
            throw e;
        }
    }
}
