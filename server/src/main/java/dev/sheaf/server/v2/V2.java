package dev.sheaf.server.v2;

import static dev.sheaf.server.http.message.Method.DELETE;
import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.PATCH;
import static dev.sheaf.server.http.message.Method.POST;
import static dev.sheaf.server.http.message.Method.PUT;

import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.SigningKeys;
import dev.sheaf.server.auth.Tokens;
import dev.sheaf.server.bundle.Downloads;
import dev.sheaf.server.bundle.publish.OciDelete;
import dev.sheaf.server.bundle.publish.OciPush;
import dev.sheaf.server.bundle.version.Advisories;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.http.policy.Cost;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.gc.PushLeases;
import dev.sheaf.server.registry.referrer.Referrers;
import dev.sheaf.server.registry.tag.Tags;
import dev.sheaf.server.registry.upload.Uploads;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// The OCI distribution API (distribution-spec 1.1.1).
public final class V2 {
    private static final String REPOSITORY = "/v2/{namespace}/{bundle}";
    private static final String UPLOADS = REPOSITORY + "/blobs/uploads/";

    private final BlobsApi blobs;
    private final UploadsApi uploads;
    private final ManifestsApi manifests;
    private final ReferrersApi referrers;
    private final CatalogApi catalog;
    private final TagsApi tags;
    private final TokenApi token;
    private final JwksApi jwks;
    private final boolean deletes;

    /// The parts of the registry that are spoken for.
    public record Stores(
            Repositories repositories,
            Blobs blobs,
            Uploads uploads,
            Manifests manifests,
            Referrers referrers,
            Tags tags,
            PushLeases leases,
            Namespaces namespaces) {}

    /// How callers are known.
    ///
    /// @param clock the database's
    public record Identity(Authenticator authenticator, Tokens tokens, SigningKeys signingKeys, InstantSource clock) {}

    /// What pushes and deletes mean for bundles, what is to be said of them, and who counts pulls.
    public record Bundling(OciPush target, OciDelete deletes, Advisories advisories, Downloads downloads) {}

    /// What an installation may choose.
    ///
    /// @param deletes whether content may be deleted; an upload can be cancelled either way
    /// @param redirectMinimum size of blobs in bytes from which on clients are sent to the bucket; 0: never
    public record Choices(boolean deletes, long redirectMinimum) {}

    public V2(Stores stores, Identity identity, Bundling bundling, Choices choices) {
        this.deletes = choices.deletes();
        var doors = new RepositoryAccess(stores.repositories(), stores.namespaces(), bundling.target());
        this.blobs = new BlobsApi(
                doors, stores, bundling.deletes(), new Redirects(stores.blobs(), choices.redirectMinimum()));
        this.uploads = new UploadsApi(doors, stores.repositories(), stores.blobs(), stores.uploads());
        this.manifests = new ManifestsApi(doors, stores, bundling);
        this.referrers = new ReferrersApi(doors, stores.referrers());
        this.catalog = new CatalogApi(stores.repositories());
        this.tags = new TagsApi(doors, stores.tags());
        this.token = new TokenApi(identity, stores.repositories());
        this.jwks = new JwksApi(identity.signingKeys());
    }

    public Surface surface() {
        return new Surface(
                "/v2",
                true,
                OciErrors::render,
                routes().stream()
                        .filter(route -> deletes || !deletesContent(route))
                        .toList());
    }

    /// By what the route is and not by its name, so that one more way to delete is among them too (CVE-2026-41888
    /// was a switch that one way ignored). A method without a route is answered 405 with those that have one.
    private static boolean deletesContent(Route route) {
        return route.method() == DELETE && !route.pattern().startsWith(UPLOADS);
    }

    private static List<Route> routes(Route... routes) {
        return List.of(routes);
    }

    private List<Route> routes() {
        return routes(
                route(GET, "/v2", Need.PUBLIC_READ, V2::ping),
                route(GET, "/v2/", Need.PUBLIC_READ, V2::ping),
                route(GET, "/v2/token", Need.NONE, token::get),
                route(POST, "/v2/token", Need.NONE, token::post),
                new Route(GET, "/.well-known/jwks.json", Need.NONE, jwks::get),
                route(GET, "/v2/_catalog", Need.PUBLIC_READ, catalog::list),
                route(GET, REPOSITORY + "/blobs/{digest}", Need.PUBLIC_READ, blobs::get),
                route(DELETE, REPOSITORY + "/blobs/{digest}", Need.WRITE, blobs::delete),
                route(POST, UPLOADS, Need.WRITE, uploads::begin),
                route(GET, UPLOADS + "{upload_id}", Need.WRITE, uploads::status),
                route(PATCH, UPLOADS + "{upload_id}", Need.WRITE, uploads::append),
                route(PUT, UPLOADS + "{upload_id}", Need.WRITE, uploads::finish),
                route(DELETE, UPLOADS + "{upload_id}", Need.WRITE, uploads::cancel),
                route(GET, REPOSITORY + "/manifests/{reference}", Need.PUBLIC_READ, manifests::get),
                route(PUT, REPOSITORY + "/manifests/{reference}", Need.WRITE, manifests::put),
                route(DELETE, REPOSITORY + "/manifests/{reference}", Need.WRITE, manifests::delete),
                route(GET, REPOSITORY + "/referrers/{digest}", Need.PUBLIC_READ, referrers::list),
                route(GET, REPOSITORY + "/tags/list", Need.PUBLIC_READ, tags::list));
    }

    /// A request counts as a write where it changes what others can see: manifests come, and content goes. A push
    /// of many layers takes several requests for each of them, which count as reads.
    private static Route route(Method method, String pattern, Need need, Route.Handler handler) {
        var route = new Route(method, pattern, need, call -> versioned(handler.handle(call)));
        if (need == Need.NONE) {
            return route.costing(Cost.FREE); // counts by itself, once it knows whose credential it got
        }
        return pattern.startsWith(UPLOADS) ? route.costing(Cost.READ) : route;
    }

    static Answer versioned(Answer answer) {
        return answer.with("Docker-Distribution-Api-Version", "registry/2.0");
    }

    /// Refuses a call without credentials, so that the client gets a token; one for anybody will do.
    static void credentialSent(Call call) {
        if (call.caller() instanceof Caller.Anonymous
                && call.headers("Authorization").isEmpty()) {
            throw Authenticator.missing().raise();
        }
    }

    /// Tells a client that its credential works. Without one it answers 401, from which clients learn where tokens
    /// are had; a token that was given to an anonymous client is good enough.
    private static Answer ping(Call call) {
        credentialSent(call);
        return Answer.json(200, Map.of()).with("Cache-Control", "private, no-store");
    }
}
