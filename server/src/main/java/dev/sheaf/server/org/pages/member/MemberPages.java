package dev.sheaf.server.org.pages.member;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.org.Invitation;
import dev.sheaf.model.wire.org.Member;
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
import dev.sheaf.server.org.member.Members;
import dev.sheaf.server.org.member.NewInvitation;
import dev.sheaf.server.org.pages.OrgPage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/// The people of an organization.
public final class MemberPages {
    static final String ALL = "/organizations/{org_id}/members";
    private static final String ONE = ALL + "/{user_id}";
    private static final int SHOWN = 50;
    private static final Function<String, UUID> ID = PathId.of("member %s of this organization");

    private final Members members;
    private final Invitations invitations;

    public MemberPages(Members members, Invitations invitations) {
        this.members = members;
        this.invitations = invitations;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ALL, RoutePermission.ADMIN, page -> list(OrgPage.of(page), "", "reader", FormErrors.NONE)),
                pages.own(ONE, RoutePermission.ADMIN, page -> one(OrgPage.of(page), FormErrors.NONE)),
                pages.form(ONE + "/role", RoutePermission.ADMIN, this::change),
                pages.own(ONE + "/remove", RoutePermission.ADMIN, page -> question(OrgPage.of(page), FormErrors.NONE)),
                pages.form(ONE + "/remove", RoutePermission.ADMIN, this::remove));
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

    /// Shows members and open invitations, with the form to invite.
    Answer list(OrgPage org, String email, String role, FormErrors errors) {
        var page = org.page();
        var caller = page.caller();
        var all = page.paging(SHOWN).list((after, limit) -> members.list(caller, after, limit), Member::userId);
        var invited = page.pagingBy("invited", SHOWN)
                .list((after, limit) -> invitations.listOpen(caller, after, limit), Invitation::id);
        return org.view("Members", "org/pages/member/list", "members")
                .with("members", all.data())
                .with("next", OrgPage.next(org.path("/members"), all))
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

    private Member member(OrgPage org) {
        return members.get(org.page().caller(), org.page().parameter("user_id", ID));
    }

    private static String name(Member member) {
        String full = member.fullName();
        return full == null || full.isBlank() ? member.email() : full;
    }

    private static boolean isViewer(OrgPage org, Member member) {
        User user = org.page().viewer().user();
        return user != null && user.id().equals(member.userId());
    }

    private Answer one(OrgPage org, FormErrors errors) {
        var member = member(org);
        return org.view(name(member), "org/pages/member/member", "members")
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

    private Answer change(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        Member changed;
        try {
            var role = RequestFields.form(Map.of("role", form.first("role").orElse("")))
                    .to(NewInvitation::role);
            changed = members.change(page.origin(), page.parameter("user_id", ID), role, any -> {});
        } catch (ProblemException e) {
            return one(org, PageCall.errors(e.problem(), "role"));
        }
        return org.seeOther(
                org.path("/members"),
                PageNotice.ok(PageFormat.visible(name(changed)) + " is " + changed.role() + " now."));
    }

    private Answer question(OrgPage org, FormErrors errors) {
        var member = member(org);
        String name = name(member);
        return org.page()
                .view("Remove " + name, "org/pages/ask")
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

    private Answer remove(PageCall page) {
        var org = OrgPage.of(page);
        var member = member(org);
        boolean self = isViewer(org, member);
        try {
            members.remove(page.origin(), member.userId(), any -> {});
        } catch (ProblemException e) {
            return question(org, PageCall.errors(e.problem()));
        }
        var said = PageNotice.ok(PageFormat.visible(name(member)) + " is no longer a member.");
        return self ? page.seeOther("/organizations", said) : org.seeOther(org.path("/members"), said);
    }
}
