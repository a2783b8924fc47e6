package dev.sheaf.server.webhook.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.webhook.Delivery;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.webhook.Deliveries;
import dev.sheaf.server.webhook.DeliveryState;
import dev.sheaf.server.webhook.ReplayRequest;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// The deliveries of webhooks.
public final class DeliveriesApi {
    private static final Function<String, UUID> ID = PathId.of("delivery %s");
    private static final String ALL = WebhooksApi.ONE + "/deliveries";

    private final Deliveries deliveries;

    public DeliveriesApi(Deliveries deliveries) {
        this.deliveries = deliveries;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, ALL, RoutePermission.ADMIN, this::list),
                new Route(GET, ALL + "/{delivery_id}", RoutePermission.ADMIN, this::get),
                new Route(POST, ALL + "/{delivery_id}:redeliver", RoutePermission.ADMIN, this::redeliver),
                new Route(POST, WebhooksApi.ONE + ":test", RoutePermission.ADMIN, this::test),
                new Route(POST, WebhooksApi.ONE + ":replay", RoutePermission.ADMIN, this::replay));
    }

    private Answer list(Call call) {
        var state = call.query("state", DeliveryState::parse).orElse(null);
        var type = call.query("type", DeliveriesApi::type).orElse(null);
        return PageRequest.of(call, "state", "type")
                .show(
                        (after, limit) -> deliveries.list(
                                call.origin().caller(), WebhooksApi.id(call), state, type, after, limit),
                        Delivery::id);
    }

    /// Checks a type of events to filter by.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed
    public static String type(String text) {
        if (!text.matches("[a-z_.]{1,100}\\*?|\\*")) {
            throw Problem.invalid("format", "must be a type such as version.published or version.*");
        }
        return text;
    }

    private Answer get(Call call) {
        return Answer.ok(
                deliveries.get(call.origin().caller(), WebhooksApi.id(call), call.parameter("delivery_id", ID)));
    }

    private Answer redeliver(Call call) {
        var delivery = deliveries.redeliver(call.origin(), WebhooksApi.id(call), call.parameter("delivery_id", ID));
        return Answer.json(202, delivery);
    }

    private Answer test(Call call) {
        return Answer.json(202, deliveries.test(call.origin(), WebhooksApi.id(call)));
    }

    private Answer replay(Call call) {
        var request = call.json().to(ReplayRequest::parse);
        return Answer.json(202, deliveries.replay(call.origin(), WebhooksApi.id(call), request));
    }
}
