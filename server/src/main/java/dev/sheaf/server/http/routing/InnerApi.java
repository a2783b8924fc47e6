package dev.sheaf.server.http.routing;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.InnerRequest;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.Surface;
import java.util.List;
import java.util.Map;

/// The API for pages, within the process, on behalf of the page's viewer. It uses the same routes, permissions,
/// guards and handlers. So every decision is made in one place, and a page gets only data that its viewer may
/// see. Thread-safe.
public final class InnerApi {
    private static final Surface PROGRAMS = new Surface("/", false, ProblemJson::render, List.of());

    private final Router router;
    private final Callers callers;

    /// @param routes the routes of the API, without pages
    public InnerApi(List<Route> routes, Callers callers) {
        this.router = new Router(routes.stream().map(callers::guarded).toList());
        this.callers = callers;
    }

    /// Answers a request on behalf of the caller of a page. The body of the answer is the handler's record, not
    /// yet written as JSON. The cost was counted with the page.
    ///
    /// @param page the request of the page; its caller is known
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

    /// Refuses the caller of a page who may not make such a request, by the permission and guards of its route.
    /// No handler runs, and no refusal is recorded, because a page only asks whether to show a form.
    ///
    /// @param request a request, whose query and body are ignored
    /// @throws ProblemException as the API refuses the caller
    public void permit(Call page, InnerRequest request) {
        var call = page.inner(request);
        try {
            admitted(page, call, request).handler().permit(call);
        } finally {
            call.close();
        }
    }

    /// Returns whether the viewer of a page administers the installation. Every page of a signed-in person asks
    /// this, so the answer is not an exception.
    public boolean isAdministrator(Call page) {
        var call = page.inner(new InnerRequest(Method.GET, "/v1/admin/tasks", "", Map.of(), new byte[0]));
        try {
            identify(page, call);
            return callers.isAdministrator(call.caller());
        } finally {
            call.close();
        }
    }

    private Answer answered(Call page, Call call, InnerRequest request) {
        var route = admitted(page, call, request);
        return callers.guarded(PROGRAMS, route, () -> route.handler().handle(call));
    }

    /// Returns the route of a request after checking that its caller may use it.
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
            callers.admit(PROGRAMS, route, call);
        }
        return route;
    }

    /// Sets the caller. A person acts for the organization of the inner request, which may differ from
    /// the page's. A key that was entered into a form replaces the session.
    private void identify(Call page, Call call) {
        if (call.header("Authorization").isPresent()) {
            callers.authenticate(PROGRAMS, call);
        } else if (page.caller() instanceof Caller.Known known
                && known.credential() instanceof Credential.Session session) {
            callers.inSession(session.id(), call).ifPresent(call::authenticated);
        }
    }

    /// Returns whether the API has such a route.
    public boolean has(InnerRequest request) {
        var match = router.find(request.path());
        return match != null && match.routes().containsKey(request.method());
    }
}
