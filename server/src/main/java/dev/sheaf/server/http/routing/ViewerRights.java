package dev.sheaf.server.http.routing;

import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.policy.RoutePermission;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/// The rights of the viewer of a page. They are decided as for a request to the API with the same need, and a form
/// is refused while the installation is read-only. Thread-safe.
public final class ViewerRights {
    private final CallerCheck callers;

    public ViewerRights(CallerCheck callers) {
        this.callers = callers;
    }

    /// Refuses a viewer without a permission, and records the refusal of a privileged one in the audit log.
    ///
    /// @throws ProblemException as the API refuses the caller
    public void require(Call page, RoutePermission need) {
        page.needs(need);
        permit(page, need);
    }

    /// Refuses as [#require], but records nothing, because the page only asks whether to show a form.
    public void permit(Call page, RoutePermission need) {
        CallerCheck.authorize(need, "", page);
    }

    /// Returns whether [#permit] would succeed.
    public boolean may(Call page, RoutePermission need) {
        try {
            permit(page, need);
            return true;
        } catch (ProblemException e) {
            return false;
        }
    }

    /// Returns the origin of changes by a key that somebody typed into a form, which must administer the installation.
    /// A wrong key counts as a failed authentication; the refusal of another key is recorded.
    ///
    /// @throws ProblemException as the API refuses the key
    public ChangeOrigin administrator(Call page, String key) {
        var caller = page.guessed(() -> callers.holder(key, page));
        try {
            callers.administrator(caller);
            return new ChangeOrigin(caller, page.from(), page.requestId());
        } catch (ProblemException e) {
            page.refused(caller);
            page.needs(RoutePermission.ADMIN);
            callers.note(e.problem(), page);
            throw e;
        }
    }

    /// Makes a change. Each of its writes is refused while the installation is read-only.
    public <T> T change(Supplier<T> form) {
        return callers.during(form);
    }

    /// Returns the viewer, acting for an organization other than the page's; if the viewer is not its member, for
    /// the viewer's own.
    public Optional<Caller.Known> in(Call page, UUID organization) {
        return page.caller() instanceof Caller.Known known
                        && known.credential() instanceof Credential.Session session
                        && callers.inSession(session.id(), page, organization) instanceof Caller.Known there
                ? Optional.of(there)
                : Optional.empty();
    }

    /// Returns whether the viewer administers the installation. Every page of a signed-in person asks this, so the
    /// answer is not an exception.
    public boolean isAdministrator(Call page) {
        return callers.administrating()
                .flatMap(first -> in(page, first))
                .filter(callers::isAdministrator)
                .isPresent();
    }
}
