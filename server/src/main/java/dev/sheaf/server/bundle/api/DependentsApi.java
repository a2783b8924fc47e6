package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.bundle.DependentBundle;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.requirement.Dependents;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;

/// Lists the bundles that require a bundle.
public final class DependentsApi {
    private final Dependents dependents;

    public DependentsApi(Dependents dependents) {
        this.dependents = dependents;
    }

    public List<Route> routes(BundleRoutes of) {
        return List.of(new Route(
                GET, BundleRoutes.BUNDLE + "/dependents", RoutePermission.PUBLIC_READ, of.read(this::dependents)));
    }

    private Answer dependents(Call call, BundleSnapshot bundle) {
        var paging = PageRequest.of(call);
        String after = paging.after();
        var rows = dependents.list(
                call.caller(), bundle, after == null ? null : RepositoryName.parseAny(after), paging.fetch());
        var answer = paging.answer(rows, row -> row.name().toString(), DependentsApi::dependent);
        return CachePolicy.MOVING.on(answer, call.caller(), bundle.visibility());
    }

    /// Returns the record of a dependent.
    public static DependentBundle dependent(Dependents.Dependent row) {
        return new DependentBundle(
                row.name().namespace().value(),
                row.name().bundle().value(),
                row.version(),
                row.range(),
                row.optional());
    }
}
