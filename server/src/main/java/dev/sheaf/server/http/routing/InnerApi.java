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

    /// Answers a request on behalf of the caller of a page. The body is what the handler returned, not yet
    /// written. The cost is counted with the page.
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

    /// Refuses the caller of a page who may not make such a request, by its route's need and guards. No handler
    /// runs, and nothing is written: a page that asks whether to show a form is no attempt to change anything.
    ///
    /// @param request whose query and body are not looked at
    /// @throws ProblemException as the API refuses the caller
    public void permit(Call page, InnerRequest request) {
        var call = page.inner(request);
        try {
            admitted(page, call, request).handler().permit(call);
        } finally {
            call.close();
        }
    }

    private Answer answered(Call page, Call call, InnerRequest request) {
        return admitted(page, call, request).handler().handle(call);
    }

    /// The route of a request, once its caller has what it needs.
    private Route admitted(Call page, Call call, InnerRequest request) {
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
        return route;
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

    /// Whether the API has such a route.
    public boolean has(InnerRequest request) {
        var match = router.find(request.path());
        return match != null && match.routes().containsKey(request.method());
    }
}
