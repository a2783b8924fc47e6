package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.Digest;
import dev.sheaf.server.bundle.review.ClosedContent;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.gc.RetentionReasons;
import java.util.List;

/// Explains why content is kept, or when it will be deleted.
public final class ContentsApi {
    private final RetentionReasons retention;
    private final Repositories repositories;
    private final ClosedContent closed;

    public ContentsApi(RetentionReasons retention, Repositories repositories, ClosedContent closed) {
        this.retention = retention;
        this.repositories = repositories;
        this.closed = closed;
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
        if (repositories
                .find(call.caller(), name)
                .filter(repository -> closed.isHidden(call.caller(), repository, digest))
                .isPresent()) {
            throw RetentionReasons.missing(name, digest).raise();
        }
        return Answer.ok(retention.status(call.caller(), name, digest)).with("Cache-Control", "private, no-store");
    }
}
