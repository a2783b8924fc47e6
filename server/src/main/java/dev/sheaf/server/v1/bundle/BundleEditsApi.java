package dev.sheaf.server.v1.bundle;

import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.PATCH;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.bundle.Profile;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.version.BundleEdits;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Caching;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.input.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bundles of a namespace: list, create, edit (contract 3.3).
public final class BundleEditsApi {
    private static final int MAX_QUERY = 200;
    private static final BundleName NONE = new BundleName("none");
    private static final Profile EMPTY = Profile.of("", null, null, null);

    private final BundleList list;
    private final BundleEdits edits;

    public BundleEditsApi(BundleList list, BundleEdits edits) {
        this.list = list;
        this.edits = edits;
    }

    public List<Route> routes(BundleRoutes of) {
        String all = "/v1/namespaces/{namespace}/bundles";
        return List.of(
                new Route(GET, all, Need.PUBLIC_READ, this::list),
                new Route(POST, all, Need.WRITE, this::create),
                new Route(PATCH, BundleRoutes.BUNDLE, Need.WRITE, of.write(this::edit)));
    }

    private Answer list(Call call) {
        var namespace = call.parameter("namespace", Namespace::parse);
        var filter = new BundleList.Filter(
                call.query("visibility", Visibility::parse).orElse(null),
                call.query("q", BundleEditsApi::text).orElse(""));
        var paging = Paging.of(call, "visibility", "q");
        var rows = list.list(call.caller(), namespace, filter, paging.after(), paging.fetch());
        return Caching.MOVING.on(
                paging.answer(rows, row -> row.name().bundle().value(), Wire::listed),
                call.caller(),
                Visibility.PUBLIC); // all that anonymous callers are shown
    }

    private static String text(String query) {
        if (query.length() > MAX_QUERY) {
            throw Problem.invalid("too-long", "has " + query.length() + " characters; at most " + MAX_QUERY);
        }
        return query;
    }

    private Answer create(Call call) {
        var namespace = call.parameter("namespace", Namespace::parse);
        var fields = call.json(call.sizes().profile());
        var slug = fields.parsed("slug", BundleName::parseSlug, NONE);
        fields.required("name", ProfileFields.MAX_NAME);
        var profile = ProfileFields.read(fields, call.sizes().readme()).apply(EMPTY);
        var visibility = fields.parsedOr("visibility", Visibility::parse, Visibility.PRIVATE);
        fields.finish();
        var created = edits.create(call.origin(), new RepositoryName(namespace, slug), profile, visibility);
        String place = call.rawPath() + "/" + slug;
        return Answer.created(place, Wire.bundle(created)).readAt(place);
    }

    private Answer edit(Call call, Snapshot bundle) {
        var name = bundle.name();
        var fields = call.json(call.sizes().profile());
        slug(fields, name);
        var profile = ProfileFields.read(fields, call.sizes().readme());
        var edit = new BundleEdits.Edit(profile, visibility(fields));
        fields.finish();
        var edited =
                edits.edit(call.origin(), name, edit, current -> ConditionalWrite.check(call, Wire.bundle(current)));
        return Answer.ok(Wire.bundle(edited));
    }

    private static void slug(Fields fields, RepositoryName name) {
        if (fields.sent("slug") && !name.bundle().value().equals(fields.optional("slug", Integer.MAX_VALUE))) {
            fields.error("slug", "format", "cannot be changed; it is " + name.bundle());
        }
    }

    private static @Nullable Visibility visibility(Fields fields) {
        return fields.sent("visibility") ? fields.parsed("visibility", Visibility::parse, Visibility.PRIVATE) : null;
    }
}
