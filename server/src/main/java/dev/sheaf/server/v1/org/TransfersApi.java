package dev.sheaf.server.v1.org;

import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Quoted;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.org.directory.Organizations;
import dev.sheaf.server.org.directory.Transfers;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Namespaces that go from one organization to another.
public final class TransfersApi {
    private static final int MAX_NAME = 200;

    private final Organizations organizations;
    private final Transfers transfers;

    public TransfersApi(Organizations organizations, Transfers transfers) {
        this.organizations = organizations;
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

    private UUID own(Call call) {
        return organizations
                .own(call.origin().caller(), call.parameter("org_id"))
                .id();
    }

    /// The same for who may know all that it gives and is given.
    private UUID whole(Call call) {
        UUID organization = own(call);
        Access.whole(call.origin().caller());
        return organization;
    }

    private static UUID id(Call call) {
        String text = call.parameter("transfer_id");
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new Problem.NotFound("transfer " + Quoted.of(text) + " of this organization").raise();
        }
    }

    private Answer offer(Call call) {
        own(call);
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
        var paging = Paging.of(call);
        var rows = transfers.list(organization, paging.after(), paging.fetch());
        return paging.answer(rows, row -> row.id().toString(), Function.identity());
    }

    private Answer get(Call call) {
        return Answer.ok(transfers.get(whole(call), id(call)));
    }

    private Answer accept(Call call) {
        own(call);
        return Answer.ok(transfers.accept(call.origin(), id(call)));
    }

    private Answer refuse(Call call, Transfers.Refusal how) {
        own(call);
        return Answer.ok(transfers.refuse(call.origin(), id(call), how));
    }
}
