package dev.sheaf.server.ops;

import static dev.sheaf.server.http.message.Method.GET;

import dev.sheaf.server.auth.PathOwners;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.metrics.Metrics;
import java.util.List;

/// The metrics of a node, for administrators of the installation and for programs at known addresses.
public final class MetricsApi {
    private final Metrics metrics;
    private final Operators operators;
    private final PathOwners owners;

    public MetricsApi(Metrics metrics, Operators operators, PathOwners owners) {
        this.metrics = metrics;
        this.operators = operators;
        this.owners = owners;
    }

    public List<Route> routes() {
        return List.of(new Route(GET, "/metrics", Need.PUBLIC_READ, this::metrics));
    }

    private Answer metrics(Call call) {
        if (!operators.includes(call)) {
            owners.administrator(call.origin().caller());
        }
        var page = metrics.page(String.join(",", call.headers("Accept")));
        return Answer.bytes(200, page.mediaType(), page.bytes()).with("Cache-Control", "no-store");
    }
}
