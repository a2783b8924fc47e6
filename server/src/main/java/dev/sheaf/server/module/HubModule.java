package dev.sheaf.server.module;

import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.ReadmePages;
import dev.sheaf.server.hub.Stars;
import dev.sheaf.server.node.Node;
import dev.sheaf.server.v1.hub.HubApi;
import dev.sheaf.server.v1.hub.HubPagesApi;
import dev.sheaf.server.v1.hub.PublishersApi;
import java.util.List;
import java.util.stream.Stream;

/// What everybody may discover: lists and searches of public bundles, their pages, and stars.
final class HubModule implements Module {
    private final Node node;
    private final OrgModule org;
    private final BundleModule bundle;

    HubModule(Node node, OrgModule org, BundleModule bundle) {
        this.node = node;
        this.org = org;
        this.bundle = bundle;
    }

    @Override
    public List<Route> routes() {
        var hub = new Hub(node.database(), node.searches());
        var twins = new HubApi.Twins(bundle.reads(), bundle.versions(), bundle.assets());
        return Stream.of(
                        new HubApi(hub, new Stars(node.database()), twins).routes(),
                        new HubPagesApi(bundle.bundles(), new ReadmePages(node.cpu()), hub).routes(),
                        new PublishersApi(hub, bundle.edits(), org.namespaces()).routes())
                .flatMap(List::stream)
                .toList();
    }
}
