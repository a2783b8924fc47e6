package dev.sheaf.server.v2;

import static dev.sheaf.server.http.message.Method.DELETE;
import static dev.sheaf.server.http.message.Method.GET;

import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.http.policy.Cost;
import dev.sheaf.server.http.policy.Need;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The OCI distribution API (distribution-spec 1.1.1).
public final class V2 {
    static final String REPOSITORY = "/v2/{namespace}/{bundle}";
    static final String UPLOADS = REPOSITORY + "/blobs/uploads/";

    private V2() {}

    /// @param deletes whether content may be deleted; an upload can be cancelled either way
    public static Surface surface(boolean deletes, List<List<Route>> routes) {
        var all = Stream.concat(
                Stream.of(
                        route(GET, "/v2", Need.PUBLIC_READ, V2::ping), route(GET, "/v2/", Need.PUBLIC_READ, V2::ping)),
                routes.stream().flatMap(List::stream));
        return new Surface(
                "/v2",
                true,
                OciErrors::render,
                all.filter(route -> deletes || !deletesContent(route)).toList());
    }

    /// By what the route is and not by its name, so that one more way to delete is among them too (CVE-2026-41888
    /// was a switch that one way ignored). A method without a route is answered 405 with those that have one.
    private static boolean deletesContent(Route route) {
        return route.method() == DELETE && !route.pattern().startsWith(UPLOADS);
    }

    /// A request counts as a write where it changes what others can see: manifests come, and content goes. A push
    /// of many layers takes several requests for each of them, which count as reads.
    static Route route(Method method, String pattern, Need need, Route.Handler handler) {
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
