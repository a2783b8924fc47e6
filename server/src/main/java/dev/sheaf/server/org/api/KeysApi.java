package dev.sheaf.server.org.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PATCH;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.engine.input.SecretOverlap;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.auth.KeyState;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.org.key.KeyChanges;
import dev.sheaf.server.org.key.KeyEdit;
import dev.sheaf.server.org.key.NewKey;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/// API keys (specification, endpoint 1; contract 5.1).
public final class KeysApi {
    private static final Function<String, UUID> ID = PathId.of("API key %s");

    private final ApiKeys keys;
    private final KeyChanges changes;
    private final InstantSource clock;

    public KeysApi(ApiKeys keys, KeyChanges changes, InstantSource clock) {
        this.keys = keys;
        this.changes = changes;
        this.clock = clock;
    }

    public List<Route> routes() {
        String all = "/v1/organizations/{org_id}/api-keys";
        return List.of(
                new Route(POST, all, RoutePermission.ADMIN, this::create),
                new Route(GET, all, RoutePermission.ADMIN, this::list),
                new Route(GET, all + "/{key_id}", RoutePermission.ADMIN, this::get),
                new Route(PATCH, all + "/{key_id}", RoutePermission.ADMIN, this::edit),
                new Route(DELETE, all + "/{key_id}", RoutePermission.ADMIN, this::revoke),
                new Route(POST, all + "/{key_id}:rotate", RoutePermission.ADMIN, this::rotate),
                new Route(DELETE, "/v1/api-keys/current", RoutePermission.READ, this::revokeOwn));
    }

    private Answer create(Call call) {
        var created = keys.create(call.origin(), call.json().to(fields -> NewKey.parse(fields, clock.instant())));
        return Answer.createdSecret(call.rawPath() + "/" + created.id(), created, created.withKey(null));
    }

    private Answer list(Call call) {
        var state = call.query("state", KeyState::parse).orElse(null);
        var bundle = call.query("bundle", RepositoryName::parse).orElse(null);
        var filter = new ApiKeys.Filter(state, bundle);
        return PageRequest.of(call, "state", "bundle")
                .show((after, limit) -> keys.list(call.origin().caller(), filter, after, limit), ApiKey::id);
    }

    private Answer get(Call call) {
        return shown(keys.get(call.origin().caller(), call.parameter("key_id", ID)));
    }

    /// The ETag does not cover when the key was last used. Otherwise a key in use would change between a
    /// client's read and its If-Match, and nobody could change it.
    private static Answer shown(ApiKey key) {
        return Answer.ok(key).with("ETag", etag(key));
    }

    private static String etag(ApiKey key) {
        return ConditionalWrite.etag(key.withoutUse());
    }

    private static Consumer<ApiKey> unchanged(Call call) {
        return key -> ConditionalWrite.checkTags(call, List.of(etag(key)));
    }

    private Answer edit(Call call) {
        var edit = call.json().to(KeyEdit::parse);
        return shown(changes.edit(call.origin(), call.parameter("key_id", ID), edit, unchanged(call)));
    }

    private Answer revoke(Call call) {
        changes.revoke(call.origin(), call.parameter("key_id", ID), "revoked by an admin", unchanged(call));
        return Answer.empty(204);
    }

    private Answer rotate(Call call) {
        var overlap = call.jsonOrNothing().to(SecretOverlap::parse);
        var made = changes.rotate(call.origin(), call.parameter("key_id", ID), overlap);
        return Answer.createdSecret(
                "/v1/organizations/" + call.parameter("org_id") + "/api-keys/" + made.id(), made, made.withKey(null));
    }

    private Answer revokeOwn(Call call) {
        changes.revokeOwn(call.origin());
        return Answer.empty(204);
    }
}
