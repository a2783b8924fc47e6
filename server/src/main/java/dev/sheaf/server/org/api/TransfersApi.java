package dev.sheaf.server.org.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.org.Transfer;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.directory.NamespaceTransfers;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Transfers of namespaces between organizations.
public final class TransfersApi {

    private static final Function<String, UUID> ID = PathId.of("transfer %s of this organization");

    private final NamespaceTransfers transfers;

    public TransfersApi(NamespaceTransfers transfers) {
        this.transfers = transfers;
    }

    public List<Route> routes() {
        String own = "/v1/organizations/{org_id}";
        String one = own + "/transfers/{transfer_id}";
        return List.of(
                new Route(POST, own + "/namespaces/{namespace}:transfer", RoutePermission.ADMIN, this::offer),
                new Route(GET, own + "/transfers", RoutePermission.ADMIN, this::list),
                new Route(GET, one, RoutePermission.ADMIN, this::get),
                new Route(POST, one + ":accept", RoutePermission.ADMIN, call -> end(call, transfers::accept)),
                new Route(POST, one + ":decline", RoutePermission.ADMIN, call -> end(call, transfers::decline)),
                new Route(POST, one + ":cancel", RoutePermission.ADMIN, call -> end(call, transfers::cancel)));
    }

    private Answer offer(Call call) {
        var namespace = call.parameter("namespace", Namespace::parse);
        var transfer = transfers.offer(call.origin(), namespace, call.json().to(NamespaceTransfers::receiver));
        return Answer.created(
                "/v1/organizations/" + call.parameter("org_id") + "/transfers/" + transfer.id(), transfer);
    }

    private Answer list(Call call) {
        var caller = call.origin().caller();
        return PageRequest.of(call).show((after, limit) -> transfers.list(caller, after, limit), Transfer::id);
    }

    private Answer get(Call call) {
        return Answer.ok(transfers.get(call.origin().caller(), call.parameter("transfer_id", ID)));
    }

    private static Answer end(Call call, BiFunction<ChangeOrigin, UUID, Transfer> how) {
        return Answer.ok(how.apply(call.origin(), call.parameter("transfer_id", ID)));
    }
}
