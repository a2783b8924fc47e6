package dev.sheaf.server.org.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.wire.org.TrustedPublisher;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.publisher.NewPublisher;
import dev.sheaf.server.identity.publisher.TrustedPublishers;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Workflows of other services that may publish (contract 5.3).
public final class TrustedPublishersApi {
    private static final Function<String, UUID> ID = PathId.of("trusted publisher %s");

    private final TrustedPublishers publishers;

    public TrustedPublishersApi(TrustedPublishers publishers) {
        this.publishers = publishers;
    }

    public List<Route> routes() {
        String all = "/v1/organizations/{org_id}/trusted-publishers";
        return List.of(
                new Route(POST, all, RoutePermission.ADMIN, this::create),
                new Route(GET, all, RoutePermission.ADMIN, this::list),
                new Route(GET, all + "/{publisher_id}", RoutePermission.ADMIN, this::get),
                new Route(DELETE, all + "/{publisher_id}", RoutePermission.ADMIN, this::delete));
    }

    private Answer create(Call call) {
        var created = publishers.create(call.origin(), call.json().to(NewPublisher::parse));
        return Answer.created(call.rawPath() + "/" + created.id(), created);
    }

    private Answer list(Call call) {
        return PageRequest.of(call)
                .show((after, limit) -> publishers.list(call.origin().caller(), after, limit), TrustedPublisher::id);
    }

    private Answer get(Call call) {
        return Answer.ok(publishers.get(call.origin().caller(), call.parameter("publisher_id", ID)));
    }

    private Answer delete(Call call) {
        publishers.delete(call.origin(), call.parameter("publisher_id", ID), ConditionalWrite.of(call));
        return Answer.empty(204);
    }
}
