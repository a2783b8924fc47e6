package dev.sheaf.server.bundle.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PATCH;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.version.BundleEdit;
import dev.sheaf.server.bundle.version.BundleEdits;
import dev.sheaf.server.bundle.version.NewBundle;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;

/// The bundles of a namespace: list, create, change (contract 3.3).
public final class BundleEditsApi {
    private static final int MAX_QUERY = 200;

    private final BundleList list;
    private final BundleEdits edits;

    public BundleEditsApi(BundleList list, BundleEdits edits) {
        this.list = list;
        this.edits = edits;
    }

    public List<Route> routes(BundleRoutes of) {
        String all = "/v1/namespaces/{namespace}/bundles";
        return List.of(
                new Route(GET, all, RoutePermission.PUBLIC_READ, this::list),
                new Route(POST, all, RoutePermission.WRITE, this::create),
                new Route(PATCH, BundleRoutes.BUNDLE, RoutePermission.WRITE, of.write(this::edit)));
    }

    private Answer list(Call call) {
        var namespace = call.parameter("namespace", Namespace::parse);
        var filter = new BundleList.Filter(
                call.query("visibility", Visibility::parse).orElse(null),
                call.query("q", BundleEditsApi::text).orElse(""));
        var paging = PageRequest.of(call, "visibility", "q");
        var rows = list.list(call.caller(), namespace, filter, paging.after(), paging.fetch());
        return CachePolicy.MOVING.on(
                paging.answer(rows, row -> row.name().bundle().value(), BundleRecords::listed),
                call.caller(),
                Visibility.PUBLIC); // anonymous callers see only these
    }

    private static String text(String query) {
        if (query.length() > MAX_QUERY) {
            throw Problem.invalid("too-long", "has " + query.length() + " characters; at most " + MAX_QUERY);
        }
        return query;
    }

    private Answer create(Call call) {
        var namespace = call.parameter("namespace", Namespace::parse);
        int readme = call.sizes().readme();
        var made = call.json("the JSON body (max-readme-bytes)", call.sizes().profile())
                .to(fields -> NewBundle.parse(fields, namespace, readme));
        String place = call.rawPath() + "/" + made.name().bundle();
        return Answer.created(place, BundleRecords.bundle(edits.create(call.origin(), made)))
                .readAt(place);
    }

    private Answer edit(Call call, BundleSnapshot bundle) {
        int readme = call.sizes().readme();
        var edit = call.json("the JSON body (max-readme-bytes)", call.sizes().profile())
                .to(fields -> BundleEdit.parse(fields, bundle.name(), readme));
        return Answer.ok(BundleRecords.bundle(edits.edit(
                call.origin(),
                bundle.name(),
                edit,
                current -> ConditionalWrite.check(call, BundleRecords.bundle(current)))));
    }
}
