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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Accepting an invitation: by a person who is signed in, or by creating the invited account. The token is
/// in the fragment of the link, which browsers do not send; a script puts it into the form. Without a
/// script it is pasted.
public final class InvitationPages {
    private static final String PATH = "/invitations/accept";

    private final InvitationAcceptance joining;

    public InvitationPages(InvitationAcceptance joining) {
        this.joining = joining;
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
            var joined = page.change(() -> accept(page, members, isNew));
            var done =
                    PageNotice.ok("You are a member of " + joined.organization().name() + " now.");
            return isNew
                    ? page.seeOther(
                            "/login?next=/welcome",
                            new PageNotice("ok", done.title(), List.of("Sign in with your new password.")))
                    : page.seeOther(
                            ApiPath.of(
                                            "/organizations/{}/welcome",
                                            joined.organization().handle())
                                    .toString(),
                            done);
        } catch (ProblemException e) {
            var errors = FormErrors.of(e.problem(), List.of("token", "password", "fullName"));
            return show(page, text(form, "token"), text(form, "fullName"), errors);
        }
    }

    private Joined accept(PageCall page, Map<String, @Nullable Object> members, boolean isNew) {
        ReadOnly.checkChange();
        var acceptance = RequestFields.form(members).to(fields -> InvitationAcceptance.Command.parse(fields, isNew));
        return isNew
                ? joining.accept(SessionCookie.visit(page.call()), acceptance)
                : joining.accept(page.origin(), acceptance.token());
    }

    private static String text(FormFields form, String name) {
        return form.first(name).orElse("");
    }
}
