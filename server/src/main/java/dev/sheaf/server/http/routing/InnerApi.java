package dev.sheaf.server.http.routing;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.InnerRequest;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.Surface;
import java.util.List;

/// The API for pages, within the process: the same routes, needs, guards and handlers, on behalf of the page's
/// viewer. So every decision is made in one place, and a page cannot get what it may not show. Thread-safe.
public final class InnerApi {
    private static final Surface PROGRAMS = new Surface("/", false, ProblemJson::render, List.of());

    private final Router router;
    private final Callers callers;

    /// @param routes of the API alone, without pages
    public InnerApi(List<Route> routes, Callers callers) {
        this.router = new Router(routes.stream().map(callers::guarded).toList());
        this.callers = callers;
    }

    /// Answers a request on behalf of the caller of a page. The body is what the handler returned, not yet written.
    /// The cost is counted with the page.
    ///
    /// @param page whose caller is known
    /// @throws ProblemException as the API refuses it
    public Answer answer(Call page, InnerRequest request) {
        var call = page.inner(request);
        try {
            return answered(page, call, request);
        } catch (ProblemException e) {
            callers.note(e.problem(), call);
            throw e;
        } finally {
            call.close();
        }
    }

    private Answer answered(Call page, Call call, InnerRequest request) {
        var match = router.find(request.path());
        var route = match == null ? null : match.routes().get(request.method());
        if (match == null || route == null) {
            throw new Problem.NotFound("the path " + request.path()).raise();
        }
        call.matched(match.pattern());
        call.routed(match.parameters());
        call.needs(route.need());
        if (route.need().scope().isPresent()) {
            identify(page, call);
            Callers.authorize(route, call);
        }
        return route.handler().handle(call);
    }

    /// Sets the caller. A person acts for the organization that the inner request is about, which need not be the
    /// page's. A key that was entered into a form replaces the session.
    private void identify(Call page, Call call) {
        if (call.header("Authorization").isPresent()) {
            callers.authenticate(PROGRAMS, call);
        } else if (page.caller() instanceof Caller.Known known
                && known.credential() instanceof Credential.Session session) {
            callers.inSession(session.id(), call).ifPresent(call::authenticated);
        }
    }

    /// Returns whether the caller of a page administers the installation.
    public boolean isAdministrator(Call page) {
        var call = page.inner(InnerRequest.get("/v1/admin/tasks", ""));
        identify(page, call);
        return call.caller() instanceof Caller.Known known && callers.isAdministrator(known);
    }

    /// Returns whether the API has this route.
    public boolean has(InnerRequest request) {
        var match = router.find(request.path());
        return match != null && match.routes().containsKey(request.method());
    }
}
