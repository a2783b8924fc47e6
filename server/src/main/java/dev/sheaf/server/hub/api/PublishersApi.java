package dev.sheaf.server.hub.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.server.bundle.api.AssetWords;
import dev.sheaf.server.bundle.version.BundleEdits;
import dev.sheaf.server.bundle.version.NewListing;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.org.Namespaces;
import java.util.List;

/// Lets publishers see where they may publish, and list a bundle at the hub (contract 3.8).
public final class PublishersApi {
    private final Hub hub;
    private final BundleEdits edits;
    private final Namespaces namespaces;

    public PublishersApi(Hub hub, BundleEdits edits, Namespaces namespaces) {
        this.hub = hub;
        this.edits = edits;
        this.namespaces = namespaces;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/hub/me/publishers", RoutePermission.READ, this::mine),
                new Route(POST, "/v1/hub/publishers/{namespace}/listings", RoutePermission.WRITE, this::list));
    }

    private Answer mine(Call call) {
        var paging = PageRequest.of(call);
        var rows = namespaces.permitted(call.origin().caller(), paging.after(), paging.fetch());
        return paging.answer(rows, NamespaceRecord::handle, row -> HubWire.publisher(row.handle(), row.displayName()));
    }

    private Answer list(Call call) {
        var namespace = call.parameter("namespace", Namespace::parse);
        int readme = call.sizes().readme();
        var listing = call.json("the JSON body (max-readme-bytes)", call.sizes().profile())
                .to(fields -> NewListing.parse(fields, namespace, readme));
        var shown = edits.list(call.origin(), listing).bundle();
        return Answer.created(
                "/v1/hub/bundles/" + listing.name(), HubWire.summary(AssetWords.of(call), hub.entry(shown)));
    }
}
