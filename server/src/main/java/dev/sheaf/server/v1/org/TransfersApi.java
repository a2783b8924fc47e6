package dev.sheaf.server.v1.org;

import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.wire.Transfer;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.org.directory.Transfers;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Namespaces that go from one organization to another.
public final class TransfersApi {
    private static final int MAX_NAME = 200;

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
                new Route(POST, one + ":accept", Need.ADMIN, this::accept),
                new Route(POST, one + ":decline", Need.ADMIN, call -> refuse(call, Transfers.Refusal.DECLINED)),
                new Route(POST, one + ":cancel", Need.ADMIN, call -> refuse(call, Transfers.Refusal.CANCELLED)));
    }

    /// The organization, for who may know all that it gives and is given.
    private static UUID whole(Call call) {
        Access.whole(call.origin().caller());
        return call.organization();
    }

    private Answer offer(Call call) {
        var namespace = call.parameter("namespace", Namespace::parse);
        var fields = call.json();
        String to = fields.required("organization", MAX_NAME);
        fields.finish();
        var transfer = transfers.offer(call.origin(), namespace, to);
        return Answer.created(
                "/v1/organizations/" + call.parameter("org_id") + "/transfers/" + transfer.id(), transfer);
    }

    private Answer list(Call call) {
        UUID organization = whole(call);
        return Paging.of(call).show((after, limit) -> transfers.list(organization, after, limit), Transfer::id);
    }

    private Answer get(Call call) {
        return Answer.ok(transfers.get(whole(call), call.parameter("transfer_id", ID)));
    }

    private Answer accept(Call call) {
        return Answer.ok(transfers.accept(call.origin(), call.parameter("transfer_id", ID)));
    }

    private Answer refuse(Call call, Transfers.Refusal how) {
        return Answer.ok(transfers.refuse(call.origin(), call.parameter("transfer_id", ID), how));
    }
}
