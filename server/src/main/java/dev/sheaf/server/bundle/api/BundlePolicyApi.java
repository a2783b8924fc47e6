package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;
import static dev.sheaf.server.http.message.RouteMethod.PUT;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.review.BundlePolicies;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.Namespaces;
import java.util.List;

/// Shows and changes which pushes are refused, and which need approval.
public final class BundlePolicyApi {
    private static final String NAMESPACE = "/v1/namespaces/{namespace}/policy";
    private static final String BUNDLE = BundleRoutes.BUNDLE + "/policy";

    private final BundlePolicies policies;
    private final Namespaces namespaces;

    public BundlePolicyApi(BundlePolicies policies, Namespaces namespaces) {
        this.policies = policies;
        this.namespaces = namespaces;
    }

    public List<Route> routes(BundleRoutes of) {
        return List.of(
                new Route(GET, NAMESPACE, RoutePermission.READ, call -> shown(call, policies.get(namespace(call)))),
                new Route(PUT, NAMESPACE, RoutePermission.ADMIN, call -> set(call, namespace(call))),
                new Route(POST, NAMESPACE + ":confirm", RoutePermission.ADMIN, call -> confirm(call, namespace(call))),
                new Route(GET, BUNDLE, RoutePermission.READ, of.read(this::get)),
                new Route(
                        PUT,
                        BUNDLE,
                        RoutePermission.ADMIN,
                        of.write((call, bundle) -> set(call, BundlePolicies.Place.of(bundle.name())))),
                new Route(
                        POST,
                        BUNDLE + ":confirm",
                        RoutePermission.ADMIN,
                        of.write((call, bundle) -> confirm(call, BundlePolicies.Place.of(bundle.name())))));
    }

    private Answer get(Call call, BundleSnapshot bundle) {
        if (!Access.owns(call.caller(), bundle.organizationId(), bundle.name())) {
            throw Access.hidden(call.caller(), bundle.name()).raise();
        }
        return shown(
                call,
                isEffective(call)
                        ? policies.effective(bundle.name())
                        : policies.get(BundlePolicies.Place.of(bundle.name())));
    }

    private BundlePolicies.Place namespace(Call call) {
        var name = call.parameter("namespace", Namespace::parse);
        namespaces.get(call.origin().caller(), name);
        return BundlePolicies.Place.of(name);
    }

    private static boolean isEffective(Call call) {
        return call.query("effective", text -> switch (text) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw Problem.invalid("format", "must be true or false");
                })
                .orElse(false);
    }

    private Answer set(Call call, BundlePolicies.Place place) {
        var change = policies.change(call.json());
        var set = policies.set(call.origin(), place, change, ConditionalWrite.of(call));
        var kept = policies.get(place); // without the secrets of new scanners
        return Answer.secret(set, kept).with("ETag", ConditionalWrite.etag(kept));
    }

    private Answer confirm(Call call, BundlePolicies.Place place) {
        return shown(call, policies.confirm(call.origin(), place, ConditionalWrite.of(call)));
    }

    private static Answer shown(Call call, PolicyRecord policy) {
        boolean isAdmin =
                call.caller() instanceof Caller.Known known && known.scope().includes(Scope.ADMIN);
        var seen = isAdmin ? policy : policy.withScannerHosts();
        return Answer.ok(seen).with("ETag", ConditionalWrite.etag(seen));
    }
}
