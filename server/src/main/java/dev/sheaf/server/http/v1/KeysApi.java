package dev.sheaf.server.http.v1;

import static dev.sheaf.server.http.Method.DELETE;
import static dev.sheaf.server.http.Method.GET;
import static dev.sheaf.server.http.Method.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Quoted;
import dev.sheaf.model.Scope;
import dev.sheaf.model.wire.KeyRestrictions;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.http.Answer;
import dev.sheaf.server.http.Call;
import dev.sheaf.server.http.Fields;
import dev.sheaf.server.http.Need;
import dev.sheaf.server.http.Paging;
import dev.sheaf.server.http.Route;
import dev.sheaf.server.org.ApiKeys;
import dev.sheaf.server.org.NewKey;
import dev.sheaf.server.org.Organizations;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
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

    private final ApiKeys keys;
    private final Organizations organizations;
    private final InstantSource clock;

    public KeysApi(ApiKeys keys, Organizations organizations, InstantSource clock) {
        this.keys = keys;
        this.organizations = organizations;
        this.clock = clock;
    }

    public List<Route> routes() {
        String all = "/v1/organizations/{org_id}/api-keys";
        return List.of(
                new Route(POST, all, Need.ADMIN, this::create),
                new Route(GET, all, Need.ADMIN, this::list),
                new Route(GET, all + "/{key_id}", Need.ADMIN, this::get),
                new Route(DELETE, all + "/{key_id}", Need.ADMIN, this::revoke));
    }

    private Answer create(Call call) {
        organizations.own(call.origin().caller(), call.parameter("org_id"));
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
        var at = fields.has("expiresAt") ? fields.parsed("expiresAt", KeysApi::time, Instant.EPOCH) : null;
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

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw Problem.invalid("format", "must be an RFC 3339 time such as 2030-01-31T12:00:00Z");
        }
    }

    private Instant later(String text) {
        try {
            var now = clock.instant();
            return text.contains("T")
                    ? now.plus(Duration.parse(text))
                    : now.atZone(ZoneOffset.UTC).plus(Period.parse(text)).toInstant();
        } catch (DateTimeException | ArithmeticException e) {
            throw Problem.invalid("format", "must be an ISO 8601 duration such as P90D or PT12H");
        }
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
        var organization = organizations.own(call.origin().caller(), call.parameter("org_id"));
        String state = call.query("state", KeysApi::state).orElse(null);
        var paging = Paging.of(call, "state");
        var rows = keys.list(organization.id(), state, paging.after(), paging.fetch());
        return paging.answer(rows, key -> key.id().toString(), Function.identity());
    }

    private static String state(String text) {
        if (!ApiKeys.STATES.contains(text)) {
            throw Problem.invalid("unknown", "must be one of " + String.join(", ", ApiKeys.STATES));
        }
        return text;
    }

    private Answer get(Call call) {
        var organization = organizations.own(call.origin().caller(), call.parameter("org_id"));
        return Answer.ok(keys.get(organization.id(), id(call)));
    }

    private Answer revoke(Call call) {
        organizations.own(call.origin().caller(), call.parameter("org_id"));
        keys.revoke(call.origin(), id(call), "revoked by an admin");
        return Answer.empty(204);
    }

    private static UUID id(Call call) {
        String text = call.parameter("key_id");
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new Problem.NotFound("API key " + Quoted.of(text)).raise();
        }
    }
}
