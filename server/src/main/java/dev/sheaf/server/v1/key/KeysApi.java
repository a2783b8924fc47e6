package dev.sheaf.server.v1.key;

import static dev.sheaf.server.http.message.Method.DELETE;
import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.PATCH;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Quoted;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Scope;
import dev.sheaf.model.wire.ApiKey;
import dev.sheaf.model.wire.KeyRestrictions;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Fields;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Preconditions;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.Timestamps;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.org.key.KeyChanges;
import dev.sheaf.server.org.key.NewKey;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// API keys (specification, endpoint 1; contract 5.1).
public final class KeysApi {
    private static final int MAX_NAME = 100;
    private static final int MAX_DESCRIPTION = 1_000;
    private static final Set<String> MEMBERS =
            Set.of("name", "scopes", "description", "expiresAt", "expiresIn", "restrictions");
    private static final Set<String> RESTRICTIONS = Set.of("namespaces", "bundles", "cidrs");

    private static final Function<String, UUID> ID = PathId.of("API key %s");
    private static final List<String> FIXED = List.of("scopes", "restrictions", "expiresAt", "expiresIn");

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
                new Route(POST, all, Need.ADMIN, this::create),
                new Route(GET, all, Need.ADMIN, this::list),
                new Route(GET, all + "/{key_id}", Need.ADMIN, this::get),
                new Route(PATCH, all + "/{key_id}", Need.ADMIN, this::edit),
                new Route(DELETE, all + "/{key_id}", Need.ADMIN, this::revoke),
                new Route(POST, all + "/{key_id}:rotate", Need.ADMIN, this::rotate),
                new Route(DELETE, "/v1/api-keys/current", Need.READ, this::revokeOwn));
    }

    private Answer create(Call call) {
        var fields = call.json();
        fields.only(MEMBERS);
        String name = fields.required("name", MAX_NAME);
        var scopes = scopes(fields);
        String description = fields.optional("description", MAX_DESCRIPTION);
        Instant expiresAt = expiry(fields);
        var restrictions = restrictions(fields);
        fields.finish();
        var created = keys.create(call.origin(), new NewKey(name, description, scopes, expiresAt, restrictions));
        return Answer.createdSecret(call.rawPath() + "/" + created.id(), created, created.withKey(null));
    }

    private static Set<Scope> scopes(Fields fields) {
        var words = fields.texts("scopes");
        var scopes = EnumSet.noneOf(Scope.class);
        if (words == null) {
            return EnumSet.of(Scope.READ);
        }
        if (words.isEmpty()) {
            fields.error("scopes", "range", "must not be empty; leave it out for read");
        }
        for (int i = 0; i < words.size(); i++) {
            var scope = Scope.find(words.get(i));
            if (scope.isEmpty()) {
                fields.error(
                        "scopes/" + i, "unknown", "has " + Quoted.of(words.get(i)) + "; it takes read, write, admin");
            } else if (!scopes.add(scope.get())) {
                fields.error("scopes/" + i, "duplicate", "names " + scope.get() + " twice");
            }
        }
        return scopes.isEmpty() ? EnumSet.of(Scope.READ) : scopes;
    }

    private @Nullable Instant expiry(Fields fields) {
        var at = fields.has("expiresAt") ? fields.parsed("expiresAt", Timestamps::parse, Instant.EPOCH) : null;
        var in = fields.has("expiresIn") ? fields.parsed("expiresIn", this::later, Instant.EPOCH) : null;
        if (at != null && in != null) {
            fields.error("expiresIn", "range", "cannot be sent together with expiresAt");
        }
        Instant end = at == null ? in : at;
        if (end != null && !end.equals(Instant.EPOCH) && !end.isAfter(clock.instant())) {
            fields.error(at == null ? "expiresIn" : "expiresAt", "range", "must lie in the future");
        }
        return end == null ? null : end.truncatedTo(ChronoUnit.MILLIS);
    }

    private Instant later(String text) {
        try {
            var now = clock.instant();
            var end = text.contains("T")
                    ? now.plus(Duration.parse(text))
                    : now.atZone(ZoneOffset.UTC).plus(Period.parse(text)).toInstant();
            if (Timestamps.canBeWritten(end)) {
                return end;
            }
        } catch (DateTimeException | ArithmeticException e) {
            // falls through to the one message
        }
        throw Problem.invalid("format", "must be an ISO 8601 duration such as P90D or PT12H");
    }

    private static Restrictions restrictions(Fields fields) {
        var object = fields.object("restrictions");
        if (object == null) {
            return Restrictions.NONE;
        }
        object.only(RESTRICTIONS);
        var wire = new KeyRestrictions(object.texts("namespaces"), object.texts("bundles"), object.texts("cidrs"));
        var holder = new Restrictions[] {Restrictions.NONE};
        fields.check("restrictions", () -> holder[0] = Restrictions.parse(wire));
        return holder[0];
    }

    private Answer list(Call call) {
        String state = call.query("state", KeysApi::state).orElse(null);
        var bundle = call.query("bundle", RepositoryName::parse).orElse(null);
        var filter = new ApiKeys.Filter(state, bundle);
        return Paging.of(call, "state", "bundle")
                .show((after, limit) -> keys.list(call.origin().caller(), filter, after, limit), ApiKey::id);
    }

    private static String state(String text) {
        if (!ApiKeys.STATES.contains(text)) {
            throw Problem.invalid("unknown", "must be one of " + String.join(", ", ApiKeys.STATES));
        }
        return text;
    }

    private Answer get(Call call) {
        return shown(keys.get(call.origin().caller(), call.parameter("key_id", ID)));
    }

    /// With a validator that stays the same while the key is only used, or nobody could change a busy key.
    private static Answer shown(ApiKey key) {
        return Answer.ok(key).with("ETag", etag(key));
    }

    private static String etag(ApiKey key) {
        return Preconditions.etag(key.withoutUse());
    }

    private Answer edit(Call call) {
        var fields = call.json();
        FIXED.stream()
                .filter(fields::sent)
                .forEach(name -> fields.error(name, "immutable", "cannot be changed; create a new key"));
        String name = fields.sent("name") ? fields.required("name", MAX_NAME) : null;
        String description = fields.optional("description", MAX_DESCRIPTION);
        Boolean disabled = fields.flag("disabled");
        fields.finish();
        var edited = changes.edit(call.origin(), call.parameter("key_id", ID), key -> {
            Preconditions.check(call, List.of(etag(key)));
            return new KeyChanges.Edit(
                    name == null ? key.name() : name,
                    fields.sent("description") ? description : key.description(),
                    fields.sent("disabled")
                            ? Boolean.TRUE.equals(disabled)
                            : key.state().equals("disabled"));
        });
        return shown(edited);
    }

    private Answer revoke(Call call) {
        changes.revoke(
                call.origin(),
                call.parameter("key_id", ID),
                "revoked by an admin",
                key -> Preconditions.check(call, List.of(etag(key))));
        return Answer.empty(204);
    }

    private Answer rotate(Call call) {
        var fields = call.jsonOrNothing();
        fields.only(Set.of("overlap"));
        var overlap = fields.parsedOr("overlap", KeysApi::overlap, KeyChanges.OVERLAP);
        fields.finish();
        var made = changes.rotate(call.origin(), call.parameter("key_id", ID), overlap);
        return Answer.createdSecret(
                "/v1/organizations/" + call.parameter("org_id") + "/api-keys/" + made.id(), made, made.withKey(null));
    }

    private static Duration overlap(String text) {
        try {
            var overlap = Duration.ofMillis(Duration.parse(text).toMillis());
            if (!overlap.isNegative() && overlap.compareTo(KeyChanges.MAX_OVERLAP) <= 0) {
                return overlap;
            }
        } catch (DateTimeException | ArithmeticException e) {
            // falls through to the one message
        }
        throw Problem.invalid("range", "must be an ISO 8601 duration from PT0S to P30D");
    }

    private Answer revokeOwn(Call call) {
        changes.revokeOwn(call.origin());
        return Answer.empty(204);
    }
}
