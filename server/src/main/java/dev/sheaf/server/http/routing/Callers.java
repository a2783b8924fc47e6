package dev.sheaf.server.http.routing;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.audit.Refusals;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.PathOwners;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Headers;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.http.policy.Credentials;
import dev.sheaf.server.http.policy.Need;
import java.util.Optional;
import java.util.UUID;

/// Authenticates and authorizes callers, and records refusals. Thread-safe.
public final class Callers {
    private final Authenticator authenticator;
    private final PathOwners owners;
    private final Refusals refusals;
    private final PageSessions sessions;

    /// Finds the session of a browser.
    public interface PageSessions {
        /// Returns the session in the call's cookies, which may have ended; empty if there is none.
        Optional<UUID> find(Call call);
    }

    public Callers(Authenticator authenticator, PathOwners owners, Refusals refusals, PageSessions sessions) {
        this.authenticator = authenticator;
        this.owners = owners;
        this.refusals = refusals;
        this.sessions = sessions;
    }

    /// Returns the route, restricted to the callers that its path is for.
    Route guarded(Route route) {
        return route.within(owners);
    }

    void authenticate(Surface surface, Call call) {
        if (surface.forBrowsers()) {
            sessions.find(call).flatMap(session -> inSession(session, call)).ifPresent(call::authenticated);
            return;
        }
        var sent = call.headers("Authorization");
        if (!sent.isEmpty()) {
            call.authenticated(call.identified(() -> Credentials.read(sent, surface.basicAllowed())
                    .map(secret -> authenticator.authenticate(secret, context(call)))
                    .orElse(Caller.ANONYMOUS)));
        }
    }

    /// Returns the caller of a session, acting for the organization that the call is about; empty if the session
    /// is over.
    Optional<Caller> inSession(UUID session, Call call) {
        try {
            return Optional.of(authenticator.inSession(session, context(call)));
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    private Authenticator.Context context(Call call) {
        return new Authenticator.Context(
                call.address(), () -> owners.organization(call.rawPath(), call.parameters()), call::refused);
    }

    /// Refuses a caller without the route's scope. A registry token is only for repositories, so it opens no other
    /// route.
    static void authorize(Route route, Call call) {
        var needed = route.need().scope().orElseThrow();
        if (call.caller() instanceof Caller.Anonymous && route.need() == Need.PUBLIC_READ) {
            return;
        }
        var key = Access.scope(call.caller(), needed, route.use());
        if (route.need() == Need.PERSON && !(key.credential() instanceof Credential.Session)) {
            throw new Problem.Forbidden("this is about a person, and the credential is not one's; sign in").raise();
        }
        if (key.grant() instanceof Grant.Limited
                && !call.parameters().containsKey("bundle")
                && route.need() != Need.PUBLIC_READ) {
            throw new Problem.ScopeMissing(needed).raise();
        }
    }

    /// Records the refusal of a privileged call in the audit log.
    void note(Problem problem, Call call) {
        boolean privileged = call.need() == Need.WRITE || call.need() == Need.ADMIN;
        if (privileged && problem instanceof Problem.Credential) {
            String what = call.method() + " " + call.rawPath();
            call.refused()
                    .ifPresent(known -> refusals.note(known, what, problem.detail(), call.from(), call.requestId()));
        }
    }

    /// Adds a header to every answer if the caller's key ends soon.
    Answer warned(Answer answer, Call call) {
        return authenticator
                .endingSoon(call.caller())
                .map(end -> answer.with(Headers.KEY_EXPIRING, end.toString()))
                .orElse(answer);
    }
}
