package dev.sheaf.server.org.pages.member;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.org.Invitation;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.member.Invitations;
import dev.sheaf.server.org.member.NewInvitation;
import dev.sheaf.server.org.pages.OrgPage;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/// Invites people. The registry sends no mail, so the page shows the link to hand over, once. The token is
/// in its fragment, which browsers send to nobody.
public final class InvitationPages {
    private static final String ALL = "/organizations/{org_id}/invitations";
    private static final String ONE = ALL + "/{invitation_id}";
    private static final String API = "/invitations";
    private static final Function<String, UUID> ID = PathId.of("invitation %s of this organization");

    private final Invitations invitations;
    private final MemberPages members;

    /// @param members shows the list again after a refusal
    public InvitationPages(Invitations invitations, MemberPages members) {
        this.invitations = invitations;
        this.members = members;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.form(ALL, RoutePermission.ADMIN, this::invite),
                pages.form(ONE + "/resend", RoutePermission.ADMIN, this::resend),
                pages.own(ONE + "/withdraw", RoutePermission.ADMIN, this::ask),
                pages.form(ONE + "/withdraw", RoutePermission.ADMIN, this::withdraw));
    }

    private Answer invite(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        String email = form.first("email").orElse("");
        String role = form.first("role").orElse("reader");
        try {
            var wanted =
                    RequestFields.form(Map.of("email", email, "role", role)).to(NewInvitation::parse);
            return sent(org, invitations.create(page.origin(), wanted), "POST " + org.api(API));
        } catch (ProblemException e) {
            return members.list(org, email, role, PageCall.errors(e.problem(), "email", "role"));
        }
    }

    private Answer resend(PageCall page) {
        var org = OrgPage.of(page);
        try {
            var again = invitations.resend(page.origin(), page.parameter("invitation_id", ID));
            return sent(org, again, "POST " + org.api(API + "/{}:resend", again.id()));
        } catch (ProblemException e) {
            return members.list(org, "", "reader", PageCall.errors(e.problem()));
        }
    }

    private static Answer sent(OrgPage org, Invitation invitation, String call) {
        return org.view("Invited", "org/pages/member/invited", "members")
                .with("invitation", invitation)
                .with("token", PageFormat.text(invitation.token()))
                .forMachines(
                        call,
                        "sheaf members invite " + invitation.email() + " --role " + invitation.role() + " --org "
                                + org.organization().handle())
                .show();
    }

    private Answer ask(PageCall page) {
        return question(OrgPage.of(page), FormErrors.NONE);
    }

    private Answer question(OrgPage org, FormErrors errors) {
        var invitation = invitations.get(org.page().caller(), org.page().parameter("invitation_id", ID));
        String email = invitation.email();
        return org.page()
                .view("Withdraw the invitation of " + email, "org/pages/ask")
                .with("heading", "Withdraw the invitation of " + email + "?")
                .with("text", "Its link then no longer works. You can invite the same person again.")
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

    private Answer withdraw(PageCall page) {
        var org = OrgPage.of(page);
        try {
            invitations.revoke(page.origin(), page.parameter("invitation_id", ID), any -> {});
        } catch (ProblemException e) {
            return question(org, PageCall.errors(e.problem()));
        }
        return org.seeOther(org.path("/members"), PageNotice.ok("The invitation is withdrawn."));
    }
}
