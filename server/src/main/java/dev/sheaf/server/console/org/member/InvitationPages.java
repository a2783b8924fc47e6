package dev.sheaf.server.console.org.member;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.org.Invitation;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.org.OrgPage;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.Map;

/// Invites people. The registry sends no mail, so the page shows the token to hand over, once.
public final class InvitationPages {
    private static final String ALL = "/organizations/{org_id}/invitations";
    private static final String ONE = ALL + "/{invitation_id}";
    private static final String API = "/invitations";

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.form(ALL, InvitationPages::invite),
                pages.form(ONE + "/resend", InvitationPages::resend),
                pages.own(ONE + "/withdraw", InvitationPages::ask),
                pages.form(ONE + "/withdraw", InvitationPages::withdraw));
    }

    private static Answer invite(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        String email = form.first("email").orElse("");
        String role = form.first("role").orElse("reader");
        try {
            return sent(
                    org,
                    page.api().post(Invitation.class, org.api(API), Map.of("email", email, "role", role)),
                    "POST " + org.api(API));
        } catch (ProblemException e) {
            return MemberPages.list(org, email, role, PageCall.errors(e.problem(), "email", "role"));
        }
    }

    private static Answer resend(PageCall page) {
        page.form();
        var org = OrgPage.of(page);
        String id = page.parameter("invitation_id");
        try {
            return sent(
                    org,
                    page.api().post(Invitation.class, org.api(API + "/{}:resend", id), Map.of()),
                    "POST " + org.api(API + "/{}:resend", id));
        } catch (ProblemException e) {
            return MemberPages.list(org, "", "reader", PageCall.errors(e.problem()));
        }
    }

    private static Answer sent(OrgPage org, Invitation invitation, String call) {
        return org.view("Invited", "org/member/invited", "members")
                .with("invitation", invitation)
                .with("token", Show.text(invitation.token()))
                .forMachines(
                        call,
                        "sheaf members invite " + invitation.email() + " --role " + invitation.role() + " --org "
                                + org.organization().handle())
                .show();
    }

    private static Answer ask(PageCall page) {
        return question(OrgPage.of(page), FormErrors.NONE);
    }

    private static Answer question(OrgPage org, FormErrors errors) {
        var invitation = org.page()
                .api()
                .get(Invitation.class, org.api(API + "/{}", org.page().parameter("invitation_id")));
        String email = invitation.email();
        return org.page()
                .view("Withdraw the invitation of " + email, "org/ask")
                .with("heading", "Withdraw the invitation of " + email + "?")
                .with("text", "Its token then no longer works. You can invite the same person again.")
                .with(
                        "action",
                        org.path("/invitations/{}/withdraw", invitation.id()).toString())
                .with("button", "Withdraw the invitation")
                .with("parent", org.path("/members").toString())
                .with("parentLabel", "Members of " + org.organization().name())
                .with("keep", "Keep it")
                .with("errors", errors)
                .in("organization")
                .refused(errors)
                .forMachines(
                        "DELETE " + org.api(API + "/{}", invitation.id()),
                        "sheaf members invitations revoke " + invitation.id() + " --org "
                                + org.organization().handle())
                .show();
    }

    private static Answer withdraw(PageCall page) {
        page.form();
        var org = OrgPage.of(page);
        try {
            page.api().delete(org.api(API + "/{}", page.parameter("invitation_id")));
        } catch (ProblemException e) {
            return question(org, PageCall.errors(e.problem()));
        }
        return org.seeOther(org.path("/members"), Notice.ok("The invitation is withdrawn."));
    }
}
