package dev.sheaf.server.identity.pages;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.org.Joined;
import dev.sheaf.server.auth.ReadOnly;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.SessionCookie;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.identity.signin.InvitationAcceptance;
import dev.sheaf.server.identity.signin.SignIn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Accepting an invitation: by a person who is signed in, or by creating the invited account, which is then
/// signed in. The token is in the fragment of the link, which browsers do not send; a script puts it into the form.
/// Without a
/// script it is pasted.
public final class InvitationPages {
    private static final String PATH = "/invitations/accept";

    private final InvitationAcceptance joining;
    private final SignIn signIn;
    private final SessionCookie cookie;

    public InvitationPages(InvitationAcceptance joining, SignIn signIn, SessionCookie cookie) {
        this.joining = joining;
        this.signIn = signIn;
        this.cookie = cookie;
    }

    /// An accepted invitation.
    ///
    /// @param newcomer how the invited person signs in now; null if they are signed in
    private record Accepted(Joined joined, SignIn.@Nullable Command newcomer) {
        String place() {
            return ApiPath.of("/organizations/{}/welcome", joined.organization().handle())
                    .toString();
        }

        PageNotice notice() {
            return PageNotice.ok("You are a member of " + joined.organization().name() + " now.");
        }
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.open("/invitations", page -> show(page, "", "", FormErrors.NONE)),
                pages.openForm(PATH, this::accept));
    }

    private static Answer show(PageCall page, String token, String name, FormErrors errors) {
        return page.withForms()
                .view("Accept an invitation", "identity/pages/invitation")
                .with("token", token)
                .with("name", name)
                .with("isSafe", SignInPages.isSafe(page))
                .with("errors", errors)
                .in("account")
                .refused(errors)
                .show();
    }

    private Answer accept(PageCall page) {
        var form = page.form();
        SignInPages.requireSafe(page);
        boolean isNew = !page.viewer().isSignedIn();
        var members = new HashMap<String, @Nullable Object>(Map.of("token", text(form, "token")));
        if (isNew) {
            members.put("password", text(form, "password"));
            members.put("fullName", form.first("fullName").orElse(null));
        }
        try {
            var accepted = page.change(() -> accept(page, members, isNew));
            var newcomer = accepted.newcomer();
            return newcomer == null
                    ? page.seeOther(accepted.place(), accepted.notice())
                    : enter(page, accepted, newcomer);
        } catch (ProblemException e) {
            var errors = FormErrors.of(e.problem(), List.of("token", "password", "fullName"));
            return show(page, text(form, "token"), text(form, "fullName"), errors);
        }
    }

    private Accepted accept(PageCall page, Map<String, @Nullable Object> members, boolean isNew) {
        ReadOnly.checkChange();
        var acceptance = RequestFields.form(members).to(fields -> InvitationAcceptance.Command.parse(fields, isNew));
        if (!isNew) {
            return new Accepted(joining.accept(page.origin(), acceptance.token()), null);
        }
        var email = joining.invited(acceptance.token());
        var joined = joining.accept(SessionCookie.visit(page.call()), acceptance);
        return new Accepted(joined, new SignIn.Command(email, acceptance.password(), null));
    }

    /// Signs a new person in. Somebody whose account existed before has another password, and did not accept
    /// yet.
    private Answer enter(PageCall page, Accepted accepted, SignIn.Command newcomer) {
        try {
            var opened = page.call().guessed(() -> signIn.withPassword(SessionCookie.visit(page.call()), newcomer));
            return page.cookie(cookie.begin(page.call(), opened)).seeOther(accepted.place(), accepted.notice());
        } catch (ProblemException e) {
            return page.seeOther(
                    "/login",
                    new PageNotice(
                            "info",
                            "Sign in to go on.",
                            List.of("An account that existed before keeps its password; sign in with that, then open"
                                    + " the link of the invitation again.")));
        }
    }

    private static String text(FormFields form, String name) {
        return form.first(name).orElse("");
    }
}
