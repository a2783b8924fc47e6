package dev.sheaf.server.http.v1;

import static dev.sheaf.server.http.Method.GET;

import dev.sheaf.model.Digest;
import dev.sheaf.server.http.Answer;
import dev.sheaf.server.http.Call;
import dev.sheaf.server.http.Need;
import dev.sheaf.server.http.Route;
import dev.sheaf.server.registry.Retention;
import java.util.List;

/// Why content is kept, or when it goes.
public final class ContentsApi {
    private final Retention retention;

    public ContentsApi(Retention retention) {
        this.retention = retention;
    }

    public List<Route> routes() {
        return List.of(new Route(
                GET, "/v1/namespaces/{namespace}/bundles/{bundle}/contents/{digest}", Need.READ, this::status));
    }

    private Answer status(Call call) {
        var name = call.repository();
        var digest = call.parameter("digest", Digest::parse);
        return Answer.ok(retention.status(call.caller(), name, digest)).with("Cache-Control", "private, no-store");
    }
}
