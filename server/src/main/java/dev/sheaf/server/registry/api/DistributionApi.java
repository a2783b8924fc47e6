package dev.sheaf.server.registry.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The OCI distribution API (distribution-spec 1.1.1).
public final class DistributionApi {
    static final String REPOSITORY = "/v2/{namespace}/{bundle}";
    static final String UPLOADS = REPOSITORY + "/blobs/uploads/";

    private static final List<String> PARTS = List.of("/blobs/uploads", "/manifests", "/blobs", "/referrers");
    private static final String TAGS = "/tags/list";

    private DistributionApi() {}

    /// Returns the path with a repository name of more than two parts as two: `/v2/team/app%2Fimage/...`.
    static String folded(String rawPath) {
        int name = rawPath.indexOf('/', "/v2/".length()) + 1;
        int end = endOfName(rawPath);
        if (name == 0 || end < name || rawPath.indexOf('/', name) >= end || rawPath.indexOf('%') >= 0) {
            return rawPath;
        }
        return rawPath.substring(0, name) + rawPath.substring(name, end).replace("/", "%2F") + rawPath.substring(end);
    }

    /// Returns where the repository's name ends; -1 if the path is none of a repository.
    private static int endOfName(String rawPath) {
        if (rawPath.endsWith(TAGS)) {
            return rawPath.length() - TAGS.length();
        }
        int last = rawPath.lastIndexOf('/');
        for (String part : PARTS) {
            if (rawPath.startsWith(part, last - part.length())) {
                return last - part.length();
            }
        }
        return -1;
    }

    /// @param deletes whether content may be deleted; uploads can always be cancelled
    public static RouteSurface surface(boolean deletes, List<List<Route>> routes) {
        var all = Stream.concat(
                Stream.of(
                        route(GET, "/v2", RoutePermission.PUBLIC_READ, DistributionApi::ping)
                                .costing(RequestCost.GLANCE),
                        route(GET, "/v2/", RoutePermission.PUBLIC_READ, DistributionApi::ping)
                                .costing(RequestCost.GLANCE)),
                routes.stream().flatMap(List::stream));
        return new RouteSurface(
                        "/v2",
                        true,
                        OciErrors::render,
                        all.filter(route -> deletes || !deletesContent(route)).toList())
                .matching(DistributionApi::folded);
    }

    /// Decides by the method and effect of the route, not by its name, so that a new way to delete is covered too (in
    /// CVE-2026-41888 one way ignored the switch). A method without a route is answered 405 with the methods
    /// that exist.
    private static boolean deletesContent(Route route) {
        return route.method() == DELETE && !route.pattern().startsWith(UPLOADS);
    }

    /// Creates a route. A request counts as a write if it changes what others can see: a manifest is added or
    /// content is deleted, each a fifth of one. A push of many layers takes several requests for each layer, which
    /// count as reads; a pull takes one for each, which count as content.
    static Route route(RouteMethod method, String pattern, RoutePermission need, Route.Handler handler) {
        var route = new Route(method, pattern, need, call -> versioned(handler.handle(call)));
        if (need == RoutePermission.NONE) {
            return route.costing(RequestCost.FREE); // counts itself once it knows whose credential was sent
        }
        if (pattern.startsWith(UPLOADS)) {
            return route.costing(RequestCost.READ);
        }
        if (need == RoutePermission.WRITE) {
            return route.costing(RequestCost.MANIFEST);
        }
        boolean isContent = method == GET && (pattern.contains("/blobs/") || pattern.contains("/manifests/"));
        return isContent ? route.costing(RequestCost.CONTENT) : route;
    }

    static Answer versioned(Answer answer) {
        return answer.with("Docker-Distribution-Api-Version", "registry/2.0");
    }

    /// Refuses a call without credentials, so that the client gets a token; an anonymous token is enough.
    static void credentialSent(Call call) {
        if (call.caller() instanceof Caller.Anonymous
                && call.headers("Authorization").isEmpty()) {
            throw Authenticator.missing().raise();
        }
    }

    /// Confirms that the client's credential works. Without one it answers 401, from which clients learn where
    /// to get tokens; an anonymous token is enough.
    private static Answer ping(Call call) {
        credentialSent(call);
        return Answer.json(200, Map.of()).with("Cache-Control", "private, no-store");
    }
}
