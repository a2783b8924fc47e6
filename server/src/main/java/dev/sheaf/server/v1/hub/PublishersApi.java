package dev.sheaf.server.v1.hub;

import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.version.BundleEdits;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.v1.bundle.AssetWords;
import dev.sheaf.server.v1.bundle.ProfileFields;
import java.util.List;
import java.util.UUID;

/// What publishers do at the hub (contract 3.8): see where they may publish, and list a bundle of theirs.
public final class PublishersApi {
    private static final BundleName NONE = new BundleName("none");
    private static final UUID NO_ID = new UUID(0, 0);

    private final Hub hub;
    private final Bundles bundles;
    private final BundleEdits edits;
    private final Namespaces namespaces;

    public PublishersApi(Hub hub, Bundles bundles, BundleEdits edits, Namespaces namespaces) {
        this.hub = hub;
        this.bundles = bundles;
        this.edits = edits;
        this.namespaces = namespaces;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/hub/me/publishers", Need.READ, this::mine),
                new Route(POST, "/v1/hub/publishers/{namespace}/listings", Need.WRITE, this::list));
    }

    private Answer mine(Call call) {
        var paging = Paging.of(call);
        var rows = namespaces.permitted(call.origin().caller(), paging.after(), paging.fetch());
        return paging.answer(rows, NamespaceRecord::handle, row -> HubWire.publisher(row.handle(), row.displayName()));
    }

    /// Makes a bundle public that has a version, with what it says of itself.
    private Answer list(Call call) {
        var namespace = call.parameter("namespace", Namespace::parse);
        var fields = call.json(call.sizes().profile());
        var id = fields.parsed("bundleId", PublishersApi::id, NO_ID);
        var name = new RepositoryName(namespace, fields.parsed("slug", BundleName::parse, NONE));
        String displayName = fields.required("displayName", ProfileFields.MAX_NAME);
        var profile = ProfileFields.read(fields, call.sizes().readme());
        fields.finish();
        var edit = new BundleEdits.Edit(before -> profile.apply(before).called(displayName), Visibility.PUBLIC);
        bundles.writable(call.origin().caller(), name);
        var shown = edits.edit(call.origin(), name, edit, current -> check(current, id));
        return Answer.created(
                "/v1/hub/bundles/" + name, HubWire.summary(AssetWords.of(call), hub.entry(shown.bundle())));
    }

    private static UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw Problem.invalid("format", "must be the id of a bundle");
        }
    }

    private static void check(Bundles.Overview bundle, UUID id) {
        if (!bundle.bundle().bundle().id().equals(id)) {
            throw new Problem.ValidationFailed(List.of(new Problem.FieldError(
                            "/bundleId",
                            "mismatch",
                            "is not the id of " + bundle.bundle().name())))
                    .raise();
        }
        if (bundle.latest() == null) {
            throw new Problem.Conflict("bundle " + bundle.bundle().name()
                            + " has no published version that is not yanked; publish one and list it then")
                    .raise();
        }
    }
}
