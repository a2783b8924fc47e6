package dev.sheaf.server.ops;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.engine.metrics.Metrics;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.PathOwners;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;

/// The metrics of a node, for administrators of the installation and for programs at known addresses.
public final class MetricsApi {
    private static final String CLOSED =
            "metrics are for administrators of the installation: send Authorization: Bearer <API"
                    + " key> with the key of one; to let a program at a known address read them without a key, add its address to the"
                    + " setting metrics-readers";

    private final Metrics metrics;
    private final OperatorAddresses operators;
    private final PathOwners owners;

    public MetricsApi(Metrics metrics, OperatorAddresses operators, PathOwners owners) {
        this.metrics = metrics;
        this.operators = operators;
        this.owners = owners;
    }

    public List<Route> routes() {
        return List.of(new Route(GET, "/metrics", RoutePermission.PUBLIC_READ, this::metrics));
    }

    private Answer metrics(Call call) {
        if (!operators.includes(call)) {
            if (call.caller() instanceof Caller.Anonymous) {
                throw new Problem.Unauthenticated(CredentialFault.MISSING, CLOSED).raise();
            }
            owners.administrator(call.origin().caller());
        }
        var page = metrics.page(String.join(",", call.headers("Accept")));
        return Answer.bytes(200, page.mediaType(), page.bytes()).with("Cache-Control", "no-store");
    }
}
