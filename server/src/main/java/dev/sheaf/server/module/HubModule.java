package dev.sheaf.server.module;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.server.agents.SearchApi;
import dev.sheaf.server.bundle.api.BundleRoutes;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.hub.BundleStars;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.hub.HubIndex;
import dev.sheaf.server.hub.ReadmePages;
import dev.sheaf.server.hub.api.HubApi;
import dev.sheaf.server.hub.api.HubPagesApi;
import dev.sheaf.server.hub.api.PublishersApi;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Public discovery: lists and searches of public bundles, their pages, and stars.
final class HubModule implements FeatureModule {
    private static final Logger LOG = LoggerFactory.getLogger(HubModule.class);

    private final NodeBase node;
    private final OrgModule org;
    private final BundleModule bundle;
    private final Hub hub;
    private final BundleStars stars;
    private final ReadmePages readmes;
    private final AtomicBoolean rebuilds = new AtomicBoolean();

    HubModule(NodeBase node, OrgModule org, BundleModule bundle) {
        this.node = node;
        this.org = org;
        this.bundle = bundle;
        this.hub = new Hub(node.database(), node.searches());
        this.stars = new BundleStars(node.database());
        this.readmes = new ReadmePages(node.cpu());
    }

    Hub hub() {
        return hub;
    }

    BundleStars stars() {
        return stars;
    }

    ReadmePages readmes() {
        return readmes;
    }

    @Override
    public List<Route> routes() {
        var bundles = bundle.bundles();
        var shown = new BundleRoutes(bundles, hub::require);
        return Stream.of(
                        new HubApi(hub, stars).routes(shown),
                        twins(shown),
                        new HubPagesApi(readmes, hub).routes(new BundleRoutes(bundles), shown),
                        new SearchApi(hub).routes(),
                        new PublishersApi(hub, bundle.edits(), org.namespaces()).routes())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public void begin(NodeTimer timer) {
        timer.now("completing the index of the hub", () -> {
            while (HubIndex.catchUp(node.database())) {} // one batch at a time
        });
        node.database().onDamagedSearch(() -> {
            if (rebuilds.compareAndSet(false, true)) {
                timer.now("rebuilding the search index", this::rebuild);
            }
        });
    }

    private void rebuild() {
        LOG.warn("the search index is damaged, so it is built again; until then searches find less");
        try {
            HubIndex.rebuild(node.database());
            LOG.info("the search index is whole again");
        } finally {
            rebuilds.set(false);
        }
    }

    /// Returns the routes that the hub shares with namespaces. They use the same handlers, restricted to public
    /// bundles.
    private List<Route> twins(BundleRoutes shown) {
        String one = HubApi.BUNDLE;
        var assets = bundle.assets();
        var versions = bundle.versions();
        return List.of(
                new Route(GET, one + ":resolve", RoutePermission.PUBLIC_READ, shown.read(bundle.reads()::resolve)),
                new Route(
                        GET,
                        one + "/versions/{version}:pull",
                        RoutePermission.PUBLIC_READ,
                        shown.read(bundle.pulls()::pull)),
                new Route(GET, one + "/assets", RoutePermission.PUBLIC_READ, shown.read(assets::published)),
                new Route(
                        GET,
                        one + "/assets/{path...}",
                        RoutePermission.PUBLIC_READ,
                        RequestCost.CONTENT,
                        shown.read(assets::publishedAsset)),
                new Route(POST, one + ":deprecate", RoutePermission.WRITE, shown.write(versions::deprecateBundle)),
                new Route(POST, one + ":undeprecate", RoutePermission.WRITE, shown.write(versions::undeprecateBundle)));
    }
}
