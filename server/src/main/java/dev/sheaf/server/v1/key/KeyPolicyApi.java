package dev.sheaf.server.v1.key;

import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.PUT;

import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Fields;
import dev.sheaf.server.http.message.Preconditions;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.org.key.KeyPolicies;
import dev.sheaf.server.org.key.KeyPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// For how long the keys of an organization work.
public final class KeyPolicyApi {
    private static final String DEFAULT = "defaultExpiry";
    private static final String MAX = "maxExpiry";

    private final KeyPolicies policies;

    public KeyPolicyApi(KeyPolicies policies) {
        this.policies = policies;
    }

    public List<Route> routes() {
        String path = "/v1/organizations/{org_id}/key-policy";
        return List.of(new Route(GET, path, Need.ADMIN, this::get), new Route(PUT, path, Need.ADMIN, this::set));
    }

    private Answer get(Call call) {
        return Answer.ok(policies.get(call.organization()).toWire());
    }

    /// An unknown member is refused, as where keys are created: a misspelt `maxExpiry` would allow immortal keys.
    private Answer set(Call call) {
        var fields = call.json();
        fields.only(Set.of(DEFAULT, MAX));
        // what is wrong is no second fault of the other
        var policy = new KeyPolicy(period(fields, DEFAULT, Duration.ZERO), period(fields, MAX, KeyPolicy.LONGEST));
        if (!policy.isConsistent()) {
            fields.error(DEFAULT, "range", "must not be longer than " + MAX);
        }
        fields.finish();
        var set = policies.set(
                call.origin(), policy, current -> Preconditions.check(call, Optional.of(current.toWire())));
        return Answer.ok(set.toWire());
    }

    private static @Nullable Duration period(Fields fields, String name, Duration fallback) {
        return fields.has(name) ? fields.parsed(name, KeyPolicy::period, fallback) : null;
    }
}
