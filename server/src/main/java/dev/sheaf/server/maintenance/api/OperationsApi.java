package dev.sheaf.server.maintenance.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.maintenance.operations.Operations;
import dev.sheaf.server.maintenance.operations.SampleSpan;
import java.util.List;

/// The state of the node that answers and of the installation, with the samples of an hour, a day or a month.
public final class OperationsApi {
    private final Operations operations;

    public OperationsApi(Operations operations) {
        this.operations = operations;
    }

    public List<Route> routes() {
        return List.of(new Route(GET, "/v1/admin/operations", RoutePermission.ADMIN, this::report));
    }

    private Answer report(Call call) {
        var span = call.query("span", SampleSpan::parse).orElse(SampleSpan.DAY);
        return Answer.ok(operations.report(span)).with("Cache-Control", "private, no-store");
    }
}
