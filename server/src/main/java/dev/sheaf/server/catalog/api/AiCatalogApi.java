package dev.sheaf.server.catalog.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.catalog.AiCatalogs;
import dev.sheaf.server.catalog.CatalogNames;
import dev.sheaf.server.catalog.CatalogState;
import dev.sheaf.server.catalog.EntryType;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CachePolicy;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;

/// The AI Catalog, if the operator has switched it on: the root where readers look for it, and its parts.
public final class AiCatalogApi {
    private final CatalogState state;
    private final AiCatalogs catalogs;

    public AiCatalogApi(CatalogState state, AiCatalogs catalogs) {
        this.state = state;
        this.catalogs = catalogs;
    }

    /// Returns the routes of the root. ARD reads the same document under a name of its own (ARD, section 5.1).
    public List<Route> routes() {
        return List.of(
                new Route(GET, "/.well-known/ai-catalog.json", RoutePermission.PUBLIC_READ, this::root),
                new Route(GET, "/.well-known/ard.json", RoutePermission.PUBLIC_READ, this::root));
    }

    /// Returns the surface of the parts.
    public RouteSurface surface() {
        String parts = CatalogNames.PARTS;
        return new RouteSurface(
                parts,
                path -> path.equals(parts) || path.startsWith(parts + "/"),
                false,
                false,
                ProblemJson::render,
                List.of(
                        new Route(GET, parts, RoutePermission.PUBLIC_READ, this::root),
                        new Route(GET, parts + "/{namespace}", RoutePermission.PUBLIC_READ, this::namespace)));
    }

    private Answer root(Call call) {
        var from = call.query("from", Namespace::parse).orElse(null);
        return document(call, catalogs.root(state.names(), from, call::pay));
    }

    private Answer namespace(Call call) {
        var name = call.parameter("namespace", Namespace::parse);
        var from = call.query("from", BundleName::parseBundle).orElse(null);
        return document(call, catalogs.namespace(state.names(), name, from, call::pay));
    }

    private static Answer document(Call call, Json.Written catalog) {
        var answer = Answer.json(200, catalog, EntryType.CATALOG.mediaType());
        return CachePolicy.MOVING.on(answer, call.caller(), Visibility.PUBLIC).with("Access-Control-Allow-Origin", "*");
    }
}
