package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.server.bundle.version.DeletedBundles;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;

/// The deleted bundles of an organization that can still be restored.
public final class TrashApi {
    private final DeletedBundles trash;

    public TrashApi(DeletedBundles trash) {
        this.trash = trash;
    }

    public List<Route> routes() {
        return List.of(new Route(GET, "/v1/organizations/{org_id}/trash", RoutePermission.ADMIN, this::list));
    }

    private Answer list(Call call) {
        var caller = call.origin().caller();
        return PageRequest.of(call).show((after, limit) -> trash.list(caller, after, limit), DeletedBundles::key);
    }
}
