package dev.sheaf.server.org.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.PATCH;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.wire.org.Invitation;
import dev.sheaf.model.wire.org.Member;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ConditionalWrite;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.api.SessionsApi;
import dev.sheaf.server.identity.signin.InvitationAcceptance;
import dev.sheaf.server.org.member.Invitations;
import dev.sheaf.server.org.member.Members;
import dev.sheaf.server.org.member.NewInvitation;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Members of organizations, and invitations to them (contract 5.5).
public final class MembersApi {

    private static final Function<String, UUID> MEMBER = PathId.of("member %s of this organization");
    private static final Function<String, UUID> INVITATION = PathId.of("invitation %s of this organization");

    private final Members members;
    private final Invitations invitations;
    private final InvitationAcceptance joining;

    public MembersApi(Members members, Invitations invitations, InvitationAcceptance joining) {
        this.members = members;
        this.invitations = invitations;
        this.joining = joining;
    }

    public List<Route> routes() {
        String all = "/v1/organizations/{org_id}/members";
        String invited = "/v1/organizations/{org_id}/invitations";
        return List.of(
                new Route(GET, all, RoutePermission.ADMIN, this::list),
                new Route(DELETE, all + "/me", RoutePermission.PERSON, this::leave),
                new Route(GET, all + "/{user_id}", RoutePermission.ADMIN, this::get),
                new Route(PATCH, all + "/{user_id}", RoutePermission.ADMIN, this::change),
                new Route(DELETE, all + "/{user_id}", RoutePermission.ADMIN, this::remove),
                new Route(GET, invited, RoutePermission.ADMIN, this::listInvitations),
                new Route(POST, invited, RoutePermission.ADMIN, this::invite),
                new Route(GET, invited + "/{invitation_id}", RoutePermission.ADMIN, this::getInvitation),
                new Route(DELETE, invited + "/{invitation_id}", RoutePermission.ADMIN, this::revoke),
                new Route(POST, invited + "/{invitation_id}:resend", RoutePermission.ADMIN, this::resend),
                new Route(POST, "/v1/invitations:accept", RoutePermission.PUBLIC_READ, this::accept));
    }

    // --- members ---

    private Answer list(Call call) {
        var caller = call.origin().caller();
        return PageRequest.of(call).show((after, limit) -> members.list(caller, after, limit), Member::userId);
    }

    private Answer get(Call call) {
        return Answer.ok(members.get(call.origin().caller(), call.parameter("user_id", MEMBER)));
    }

    private Answer change(Call call) {
        var role = call.json().to(NewInvitation::role);
        return Answer.ok(
                members.change(call.origin(), call.parameter("user_id", MEMBER), role, ConditionalWrite.of(call)));
    }

    private Answer remove(Call call) {
        members.remove(call.origin(), call.parameter("user_id", MEMBER), ConditionalWrite.of(call));
        return Answer.empty(204);
    }

    private Answer leave(Call call) {
        members.remove(call.origin(), Accounts.person(call.origin().caller()).userId(), ConditionalWrite.of(call));
        return Answer.empty(204);
    }

    // --- invitations ---

    private Answer listInvitations(Call call) {
        var caller = call.origin().caller();
        return PageRequest.of(call).show((after, limit) -> invitations.list(caller, after, limit), Invitation::id);
    }

    private Answer invite(Call call) {
        var created = invitations.create(call.origin(), call.json().to(NewInvitation::parse));
        return Answer.createdSecret(call.rawPath() + "/" + created.id(), created, created.withToken(null));
    }

    private Answer getInvitation(Call call) {
        return Answer.ok(invitations.get(call.origin().caller(), call.parameter("invitation_id", INVITATION)));
    }

    private Answer revoke(Call call) {
        invitations.revoke(call.origin(), call.parameter("invitation_id", INVITATION), ConditionalWrite.of(call));
        return Answer.empty(204);
    }

    private Answer resend(Call call) {
        var sent = invitations.resend(call.origin(), call.parameter("invitation_id", INVITATION));
        return Answer.secret(sent, sent.withToken(null));
    }

    /// Accepts with the token alone for a person who is signed in. For others it creates the account, which
    /// needs a password.
    private Answer accept(Call call) {
        boolean signedIn = call.caller() instanceof Caller.Known;
        var acceptance = call.json().to(fields -> InvitationAcceptance.Command.parse(fields, !signedIn));
        return Answer.ok(
                signedIn
                        ? joining.accept(call.origin(), acceptance.token())
                        : joining.accept(SessionsApi.visit(call), acceptance));
    }
}
