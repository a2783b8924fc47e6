package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.Digest;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.registry.gc.RetentionReasons;
import java.util.List;

/// Explains why content is kept, or when it will be deleted.
public final class ContentsApi {
    private final RetentionReasons retention;

    public ContentsApi(RetentionReasons retention) {
        this.retention = retention;
    }

    public List<Route> routes() {
        return List.of(new Route(
                GET,
                "/v1/namespaces/{namespace}/bundles/{bundle}/contents/{digest}",
                RoutePermission.READ,
                this::status));
    }

    private Answer status(Call call) {
        var name = call.repository();
        var digest = call.parameter("digest", Digest::parse);
        return Answer.ok(retention.status(call.caller(), name, digest)).with("Cache-Control", "private, no-store");
    }
}
