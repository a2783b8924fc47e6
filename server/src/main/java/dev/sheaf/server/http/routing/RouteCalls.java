package dev.sheaf.server.http.routing;

import dev.sheaf.engine.http.RequestTarget;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Throttle;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ContentNegotiation;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.idempotency.StoredAnswers;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Passes a call to the handler of its route after checking everything that the route requires. Thread-safe.
final class RouteCalls {
    private static final String HEALTH = "/health/"; // does not depend on the host; monitoring uses any name
    private static final String API = "/v1/";
    private static final String PAGES = "/v1/sign-in/";
    private static final long RETRY_SECONDS = 5;

    private final Router programs;
    private final Router pages;
    private final CallerCheck callers;
    private final IdempotentPosts repeats;

    RouteCalls(List<RouteSurface> surfaces, CallerCheck callers, StoredAnswers idempotency) {
        this.callers = callers;
        this.programs = router(surfaces, false);
        this.pages = router(surfaces, true);
        this.repeats = new IdempotentPosts(idempotency, programs);
    }

    /// Returns a router of pages or of the API. They are separate, because paths of pages such as
    /// `/{namespace}/{bundle}` would match others too.
    private Router router(List<RouteSurface> surfaces, boolean forBrowsers) {
        return new Router(surfaces.stream()
                .filter(surface -> surface.forBrowsers() == forBrowsers)
                .flatMap(surface -> surface.routes().stream())
                .map(callers::guarded)
                .toList());
    }

    /// @throws dev.sheaf.model.ProblemException as the handler; also if no route matches, or the caller may not
    /// use it
    Answer answer(RouteSurface surface, Call call) {
        readable(surface, call);
        if (!call.rawPath().startsWith(HEALTH)) {
            call.way().isForUs();
        }
        var match = (surface.forBrowsers() ? pages : programs)
                .find(surface.matched().apply(call.rawPath()));
        if (match == null) {
            callers.authenticate(surface, call);
            call.count(RequestCost.READ);
            throw new Problem.NotFound("the path " + call.rawPath()).raise();
        }
        call.matched(match.pattern());
        call.routed(match.parameters());
        var preflight = call.cors().preflight(call, Router.methods(match.routes()));
        if (preflight.isPresent()) {
            return preflight.get();
        }
        var route = route(match.routes(), call.isHead() ? "GET" : call.method());
        if (route == null) {
            call.count(call.caller(), RequestCost.READ);
            throw new Problem.MethodNotAllowed(call.method(), Router.methods(match.routes())).raise();
        }
        admit(route, surface, call);
        return callers.guarded(surface, route, () -> handled(route, call));
    }

    private static @Nullable Route route(Map<RouteMethod, Route> routes, String method) {
        for (var entry : routes.entrySet()) {
            if (entry.getKey().name().equals(method)) {
                return entry.getValue();
            }
        }
        return null;
    }

    private void admit(Route route, RouteSurface surface, Call call) {
        call.needs(route.need());
        if (route.method() == RouteMethod.GET && route.need() != RoutePermission.ADMIN) {
            call.exchange().limit();
        }
        if (route.need() != RoutePermission.NONE) {
            callers.authenticate(surface, call);
        }
        call.count(call.isHead() ? route.cost().ofHead() : route.cost());
        if (route.need() != RoutePermission.NONE) {
            callers.admit(surface, route, call);
            call.admitted(() -> {
                callers.authenticate(surface, call);
                callers.admit(surface, route, call);
            });
        }
    }

    /// Runs the handler. For a change through the JSON API, the client must accept JSON. This is checked before
    /// the change, so that the client can read its answer. Handlers of other content negotiate themselves.
    private Answer handled(Route route, Call call) {
        boolean ofApi = route.pattern().startsWith(API) && !route.pattern().startsWith(PAGES);
        if (ofApi && (route.method() == RouteMethod.POST || route.method() == RouteMethod.PATCH)) {
            ContentNegotiation.json(call);
        }
        if (route.method() == RouteMethod.GET) {
            return got(route, call, ofApi);
        }
        return IdempotentPosts.concerns(route, call)
                ? repeats.once(route, call)
                : route.handler().handle(call);
    }

    private static Answer got(Route route, Call call, boolean ofApi) {
        var answer = route.handler().handle(call);
        if (ofApi && answer.body() instanceof Answer.Body.Json) {
            ContentNegotiation.json(call);
        }
        return answer;
    }

    /// Checks the request itself, before its caller and route.
    private static void readable(RouteSurface surface, Call call) {
        if (call.exchange().isSpare() && !call.rawPath().startsWith(HEALTH)) {
            throw new Problem.Unavailable(
                            Throttle.CONNECTIONS,
                            "too many connections are open, from this address (max-connections-per-address) or in total"
                                    + " (max-connections); close some, or try again",
                            RETRY_SECONDS)
                    .raise();
        }
        if (call.exchange().fault() instanceof Problem fault) {
            throw fault.raise();
        }
        var coding = call.header("Content-Encoding");
        boolean taken = coding.isEmpty()
                || coding.get().equalsIgnoreCase("identity")
                || surface.gzipTaken() && coding.get().equalsIgnoreCase("gzip");
        if (!taken) {
            throw new Problem.UnsupportedMediaType(
                            "Content-Encoding", coding.orElse(""), "the body without Content-Encoding")
                    .raise();
        }
        if (hasControls(call.rawPath()) || hasControls(call.rawQuery())) {
            throw new Problem.BadRequest("the path and the query must not contain control characters; encode them")
                    .raise();
        }
        if (!call.rawPath().startsWith("/") && !call.rawPath().equals("*")) {
            throw new Problem.BadRequest("the path must begin with /").raise();
        }
        if (RequestTarget.decode(call.rawPath()) == null) {
            throw new Problem.BadRequest("the path is not percent-encoded UTF-8").raise();
        }
    }

    /// Returns whether the text contains control characters. They must not get into headers or the database,
    /// and are refused earlier only over HTTP/1.1.
    private static boolean hasControls(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
