package dev.sheaf.server.http.routing;

import dev.sheaf.engine.cpu.CpuAccount;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Scope;
import dev.sheaf.server.audit.RefusedCalls;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.PathOwners;
import dev.sheaf.server.auth.ReadOnly;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ReadHeaders;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.http.policy.CredentialReader;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/// Authenticates and authorizes callers, and records refusals. Thread-safe.
public final class CallerCheck {
    private final Authenticator authenticator;
    private final PathOwners owners;
    private final RefusedCalls refusals;
    private final PageSessions sessions;
    private final ReadOnly mode;

    /// Finds the session of a browser.
    public interface PageSessions {
        /// Returns the session in the call's cookies, which may have ended; empty if there is none.
        Optional<UUID> find(Call call);
    }

    public CallerCheck(
            Authenticator authenticator,
            PathOwners owners,
            RefusedCalls refusals,
            PageSessions sessions,
            ReadOnly mode) {
        this.authenticator = authenticator;
        this.owners = owners;
        this.refusals = refusals;
        this.sessions = sessions;
        this.mode = mode;
    }

    /// Returns the route, restricted to the callers whom its path allows.
    Route guarded(Route route) {
        return route.within(owners);
    }

    void authenticate(RouteSurface surface, Call call) {
        if (surface.forBrowsers()) {
            CpuAccount.identifying(() -> sessions.find(call).flatMap(session -> inSession(session, call)))
                    .ifPresent(call::authenticated);
            return;
        }
        var sent = call.headers("Authorization");
        if (!sent.isEmpty()) {
            call.authenticated(call.identified(() -> CredentialReader.read(sent, surface.basicAllowed())
                    .map(secret -> authenticator.authenticate(secret, context(call)))
                    .orElse(Caller.ANONYMOUS)));
        }
    }

    /// Returns the caller of a session, acting for the organization that the call is about; empty if the
    /// session has ended.
    Optional<Caller> inSession(UUID session, Call call) {
        try {
            return Optional.of(authenticator.inSession(session, context(call)));
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    /// Returns the caller of the session of a page, acting for another organization than the page's; anonymous if
    /// the session has ended.
    Caller inSession(UUID session, Call page, UUID organization) {
        try {
            return authenticator.inSession(
                    session, new Authenticator.Context(page.address(), () -> Optional.of(organization), page::refused));
        } catch (ProblemException e) {
            return Caller.ANONYMOUS;
        }
    }

    /// Returns the caller of a key that somebody typed into the form of a page.
    ///
    /// @throws ProblemException unauthenticated
    Caller.Known holder(String key, Call page) {
        var caller = CredentialReader.read(List.of("Bearer " + key), false)
                .map(secret -> authenticator.authenticate(secret, context(page)))
                .orElse(Caller.ANONYMOUS);
        return Access.scope(caller, Scope.READ);
    }

    /// Refuses a caller who does not administer the installation.
    void administrator(Caller.Known caller) {
        owners.administrator(caller);
    }

    /// Returns the organization whose admins administer the installation.
    Optional<UUID> administrating() {
        return owners.first();
    }

    private Authenticator.Context context(Call call) {
        return new Authenticator.Context(
                call.address(), () -> owners.organization(call.rawPath(), call.parameters()), call::refused);
    }

    /// Refuses a caller without the route's scope, and every change while the installation is read-only. Forms
    /// of pages are not checked here: they show a refusal with what was typed, see [ViewerRights#change].
    void admit(RouteSurface surface, Route route, Call call) {
        authorize(route.need(), route.use(), call);
        if (isChange(surface, route)) {
            mode.check();
        }
    }

    private static boolean isChange(RouteSurface surface, Route route) {
        return !surface.forBrowsers() && route.changes() && !ReadOnly.isExempt(route.pattern());
    }

    /// Makes a change through a page. Each of its writes checks the mode.
    <T> T during(Supplier<T> change) {
        return mode.during(change);
    }

    /// Runs the handler of an admitted request. Each write of a change checks the mode again, because the
    /// installation may have become read-only while the body was read.
    Answer guarded(RouteSurface surface, Route route, Supplier<Answer> handler) {
        return isChange(surface, route) ? mode.during(handler) : handler.get();
    }

    /// Refuses a caller without the needed scope. A registry token is only for repositories, so other routes
    /// refuse it.
    ///
    /// @param use the use of a key that covers the request; empty if no use does
    static void authorize(RoutePermission need, String use, Call call) {
        var needed = need.scope().orElseThrow();
        if (call.caller() instanceof Caller.Anonymous && need == RoutePermission.PUBLIC_READ) {
            return;
        }
        var key = Access.scope(call.caller(), needed, use);
        if (need == RoutePermission.PERSON && !(key.credential() instanceof Credential.Session)) {
            throw new Problem.Forbidden("this needs a person's session, but the credential is not a session; sign in")
                    .raise();
        }
        if (key.grant() instanceof Grant.Limited
                && !call.parameters().containsKey("bundle")
                && need != RoutePermission.PUBLIC_READ) {
            throw new Problem.ScopeMissing(needed).raise();
        }
    }

    /// Returns whether a caller passes the guard of administrative paths.
    boolean isAdministrator(Caller caller) {
        return caller instanceof Caller.Known known && owners.isAdministrator(known);
    }

    /// Records the refusal of a privileged call in the audit log.
    void note(Problem problem, Call call) {
        boolean privileged = call.need() == RoutePermission.WRITE || call.need() == RoutePermission.ADMIN;
        if (privileged && problem instanceof Problem.Credential) {
            String what = call.method() + " " + RefusalLog.path(call); // somebody may put a key into a path
            call.refused()
                    .ifPresent(known -> refusals.note(known, what, problem.detail(), call.from(), call.requestId()));
        }
    }

    /// Adds a header to every answer if the caller's key ends soon.
    Answer warned(Answer answer, Call call) {
        return authenticator
                .endingSoon(call.caller())
                .map(end -> answer.with(ReadHeaders.KEY_EXPIRING, end.toString()))
                .orElse(answer);
    }
}
