package dev.sheaf.server.webhook.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PATCH;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.engine.input.SecretOverlap;
import dev.sheaf.model.wire.webhook.Webhook;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.webhook.WebhookSigner;
import dev.sheaf.server.webhook.Webhooks;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/// The webhooks of organizations.
public final class WebhooksApi {
    static final Function<String, UUID> ID = PathId.of("webhook %s");
    static final String ALL = "/v1/organizations/{org_id}/webhooks";
    static final String ONE = ALL + "/{webhook_id}";

    private final Webhooks webhooks;
    private final WebhookSigner signer;

    public WebhooksApi(Webhooks webhooks, WebhookSigner signer) {
        this.webhooks = webhooks;
        this.signer = signer;
    }

    public List<Route> routes() {
        return List.of(
                new Route(POST, ALL, RoutePermission.ADMIN, this::create),
                new Route(GET, ALL, RoutePermission.ADMIN, this::list),
                new Route(GET, ONE, RoutePermission.ADMIN, this::get),
                new Route(PATCH, ONE, RoutePermission.ADMIN, this::edit),
                new Route(DELETE, ONE, RoutePermission.ADMIN, this::delete),
                new Route(POST, ONE + ":rotate-secret", RoutePermission.ADMIN, this::rotateSecret),
                new Route(GET, "/.well-known/webhook-keys", RoutePermission.NONE, call -> keys()));
    }

    static UUID id(Call call) {
        return call.parameter("webhook_id", ID);
    }

    private Answer create(Call call) {
        var created = webhooks.create(call.origin(), call.json());
        return Answer.createdSecret(call.rawPath() + "/" + created.id(), created, created.withSecret(null));
    }

    private Answer list(Call call) {
        return PageRequest.of(call)
                .show((after, limit) -> webhooks.list(call.origin().caller(), after, limit), Webhook::id);
    }

    private Answer get(Call call) {
        return shown(webhooks.get(call.origin().caller(), id(call)));
    }

    /// The ETag does not cover the receiver's health, because that changes between a client's read and its
    /// If-Match.
    private static Answer shown(Webhook webhook) {
        return Answer.ok(webhook).with("ETag", etag(webhook));
    }

    private static String etag(Webhook webhook) {
        return ConditionalWrite.etag(webhook.withoutProgress());
    }

    private static Consumer<Webhook> unchanged(Call call) {
        return webhook -> ConditionalWrite.checkTags(call, List.of(etag(webhook)));
    }

    private Answer edit(Call call) {
        var patch = call.json(); // read first: a body that is too large is refused for any path
        return shown(webhooks.edit(call.origin(), id(call), patch, unchanged(call)));
    }

    private Answer delete(Call call) {
        webhooks.delete(call.origin(), id(call), unchanged(call));
        return Answer.empty(204);
    }

    private Answer rotateSecret(Call call) {
        var overlap = call.jsonOrNothing().to(SecretOverlap::parse);
        var rotated = webhooks.rotateSecret(call.origin(), id(call), overlap);
        return Answer.secret(rotated, rotated.withSecret(null));
    }

    private Answer keys() {
        return Answer.ok(signer.published()).with("Cache-Control", "public, max-age=300");
    }
}
