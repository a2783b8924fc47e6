package dev.sheaf.server.console.org.member;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.org.Invitation;
import dev.sheaf.model.wire.org.Member;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.org.OrgPage;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The people of an organization.
public final class MemberPages {
    static final String ALL = "/organizations/{org_id}/members";
    private static final String ONE = ALL + "/{user_id}";
    private static final int SHOWN = 50;

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(ALL, page -> list(OrgPage.of(page), "", "reader", FormErrors.NONE)),
                pages.own(ONE, page -> one(OrgPage.of(page), FormErrors.NONE)),
                pages.form(ONE + "/role", MemberPages::change),
                pages.own(ONE + "/remove", page -> question(OrgPage.of(page), FormErrors.NONE)),
                pages.form(ONE + "/remove", MemberPages::remove));
    }

    /// The roles, with their rights in plain words.
    public static Map<String, String> roles() {
        var roles = new LinkedHashMap<String, String>();
        roles.put("reader", "Sees and pulls the private bundles of the organization.");
        roles.put("publisher", "Also publishes, yanks, deletes, and queues work.");
        roles.put("admin", "Also manages keys, members, namespaces, and the organization itself.");
        roles.put("owner", "Also appoints and removes owners.");
        return roles;
    }

    /// Shows members and invitations, with the form to invite.
    static Answer list(OrgPage org, String email, String role, FormErrors errors) {
        var page = org.page();
        var members = page.api()
                .list(Member.class, org.api("/members").with("limit", SHOWN).with("cursor", page.query("cursor")));
        var invited = page.api()
                .list(
                        Invitation.class,
                        org.api("/invitations").with("limit", SHOWN).with("cursor", page.query("invited")));
        return org.view("Members", "org/member/list", "members")
                .with("members", members.data())
                .with("next", OrgPage.next(org.path("/members"), members))
                .with("invitations", invited.data())
                .with(
                        "nextInvited",
                        invited.meta().nextCursor() == null
                                ? ""
                                : org.path("/members")
                                        .with("invited", invited.meta().nextCursor())
                                        .toString())
                .with("roles", roles())
                .with("email", email)
                .with("role", role)
                .with("errors", errors)
                .refused(errors)
                .forMachines(
                        "GET " + org.api("/members"),
                        "sheaf members list --org " + org.organization().handle())
                .show();
    }

    private static Member member(OrgPage org) {
        return org.page()
                .api()
                .get(Member.class, org.api("/members/{}", org.page().parameter("user_id")));
    }

    private static String name(Member member) {
        String full = member.fullName();
        return full == null || full.isBlank() ? member.email() : full;
    }

    private static boolean isViewer(OrgPage org, Member member) {
        User user = org.page().viewer().user();
        return user != null && user.id().equals(member.userId());
    }

    private static Answer one(OrgPage org, FormErrors errors) {
        var member = member(org);
        return org.view(name(member), "org/member/member", "members")
                .with("member", member)
                .with("name", name(member))
                .with("roles", roles())
                .with("isViewer", isViewer(org, member))
                .with("errors", errors)
                .refused(errors)
                .forMachines(
                        "PATCH " + org.api("/members/{}", member.userId()),
                        "sheaf members role " + member.userId() + " reader --org "
                                + org.organization().handle())
                .show();
    }

    private static Answer change(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        Member changed;
        try {
            changed = page.api()
                    .patch(
                            Member.class,
                            org.api("/members/{}", page.parameter("user_id")),
                            Map.of("role", form.first("role").orElse("")));
        } catch (ProblemException e) {
            return one(org, PageCall.errors(e.problem(), "role"));
        }
        return org.seeOther(
                org.path("/members"), Notice.ok(Show.visible(name(changed)) + " is " + changed.role() + " now."));
    }

    private static Answer question(OrgPage org, FormErrors errors) {
        var member = member(org);
        String name = name(member);
        return org.page()
                .view("Remove " + name, "org/ask")
                .with("heading", "Remove " + name + "?")
                .with(
                        "text",
                        member.email() + " is " + member.role() + " of "
                                + org.organization().name() + ".")
                .with(
                        "breaks",
                        List.of(
                                "Sessions and devices of this person no longer act for the organization.",
                                "Keys that this person created still work; check them, too.",
                                "The versions that this person published stay."))
                .with("action", org.path("/members/{}/remove", member.userId()).toString())
                .with("button", "Remove " + name)
                .with("parent", org.path("/members").toString())
                .with("parentLabel", "Members of " + org.organization().name())
                .with("keep", "Keep")
                .with("errors", errors)
                .in("organization")
                .refused(errors)
                .forMachines(
                        "DELETE " + org.api("/members/{}", member.userId()),
                        "sheaf members remove " + member.userId() + " --org "
                                + org.organization().handle())
                .show();
    }

    private static Answer remove(PageCall page) {
        page.form();
        var org = OrgPage.of(page);
        var member = member(org);
        boolean self = isViewer(org, member);
        try {
            page.api().delete(org.api("/members/{}", member.userId()));
        } catch (ProblemException e) {
            return question(org, PageCall.errors(e.problem()));
        }
        var said = Notice.ok(Show.visible(name(member)) + " is no longer a member.");
        return self ? page.seeOther("/organizations", said) : org.seeOther(org.path("/members"), said);
    }
}
