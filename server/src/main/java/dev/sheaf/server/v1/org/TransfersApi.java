package dev.sheaf.server.v1.org;

import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.org.Transfer;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.org.directory.Transfers;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Transfers of namespaces between organizations.
public final class TransfersApi {

    private static final Function<String, UUID> ID = PathId.of("transfer %s of this organization");

    private final Transfers transfers;

    public TransfersApi(Transfers transfers) {
        this.transfers = transfers;
    }

    public List<Route> routes() {
        String own = "/v1/organizations/{org_id}";
        String one = own + "/transfers/{transfer_id}";
        return List.of(
                new Route(POST, own + "/namespaces/{namespace}:transfer", Need.ADMIN, this::offer),
                new Route(GET, own + "/transfers", Need.ADMIN, this::list),
                new Route(GET, one, Need.ADMIN, this::get),
                new Route(POST, one + ":accept", Need.ADMIN, call -> end(call, transfers::accept)),
                new Route(POST, one + ":decline", Need.ADMIN, call -> end(call, transfers::decline)),
                new Route(POST, one + ":cancel", Need.ADMIN, call -> end(call, transfers::cancel)));
    }

    private Answer offer(Call call) {
        var namespace = call.parameter("namespace", Namespace::parse);
        var transfer = transfers.offer(call.origin(), namespace, call.json().to(Transfers::receiver));
        return Answer.created(
                "/v1/organizations/" + call.parameter("org_id") + "/transfers/" + transfer.id(), transfer);
    }

    private Answer list(Call call) {
        var caller = call.origin().caller();
        return Paging.of(call).show((after, limit) -> transfers.list(caller, after, limit), Transfer::id);
    }

    private Answer get(Call call) {
        return Answer.ok(transfers.get(call.origin().caller(), call.parameter("transfer_id", ID)));
    }

    private static Answer end(Call call, BiFunction<Origin, UUID, Transfer> how) {
        return Answer.ok(how.apply(call.origin(), call.parameter("transfer_id", ID)));
    }
}
