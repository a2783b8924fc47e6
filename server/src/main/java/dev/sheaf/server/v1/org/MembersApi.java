package dev.sheaf.server.v1.org;

import static dev.sheaf.server.http.message.Method.DELETE;
import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.PATCH;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Quoted;
import dev.sheaf.model.Role;
import dev.sheaf.model.Secret;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.OneTimeSecret;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.Preconditions;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.signin.InvitationAcceptance;
import dev.sheaf.server.org.directory.Organizations;
import dev.sheaf.server.org.member.Invitations;
import dev.sheaf.server.org.member.Members;
import dev.sheaf.server.v1.account.SessionsApi;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Members of organizations and invitations into them (contract 5.5).
public final class MembersApi {
    private static final int MAX_NAME = 200;
    private static final EmailAddress NOBODY = new EmailAddress("nobody@localhost");

    private final Organizations organizations;
    private final Members members;
    private final Invitations invitations;
    private final InvitationAcceptance joining;

    public MembersApi(
            Organizations organizations, Members members, Invitations invitations, InvitationAcceptance joining) {
        this.organizations = organizations;
        this.members = members;
        this.invitations = invitations;
        this.joining = joining;
    }

    public List<Route> routes() {
        String all = "/v1/organizations/{org_id}/members";
        String invited = "/v1/organizations/{org_id}/invitations";
        return List.of(
                new Route(GET, all, Need.ADMIN, this::list),
                new Route(DELETE, all + "/me", Need.PERSON, this::leave),
                new Route(GET, all + "/{user_id}", Need.ADMIN, this::get),
                new Route(PATCH, all + "/{user_id}", Need.ADMIN, this::change),
                new Route(DELETE, all + "/{user_id}", Need.ADMIN, this::remove),
                new Route(GET, invited, Need.ADMIN, this::listInvitations),
                new Route(POST, invited, Need.ADMIN, this::invite),
                new Route(GET, invited + "/{invitation_id}", Need.ADMIN, this::getInvitation),
                new Route(DELETE, invited + "/{invitation_id}", Need.ADMIN, this::revoke),
                new Route(POST, invited + "/{invitation_id}:resend", Need.ADMIN, this::resend),
                new Route(POST, "/v1/invitations:accept", Need.PUBLIC_READ, this::accept));
    }

    /// The organization of the path, which must be the caller's.
    private UUID own(Call call) {
        return organizations
                .own(call.origin().caller(), call.parameter("org_id"))
                .id();
    }

    /// The same for who may know all that is in it: people are no part of a namespace.
    private UUID whole(Call call) {
        Access.unrestricted(call.origin().caller());
        return own(call);
    }

    private static UUID id(Call call, String parameter, String what) {
        String text = call.parameter(parameter);
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new Problem.NotFound(what + " " + Quoted.of(text) + " of this organization").raise();
        }
    }

    // --- members ---

    private Answer list(Call call) {
        UUID organization = whole(call);
        var paging = Paging.of(call);
        var rows = members.list(organization, paging.after(), paging.fetch());
        return paging.answer(rows, row -> row.userId().toString(), Function.identity());
    }

    private Answer get(Call call) {
        return Answer.ok(members.get(whole(call), id(call, "user_id", "member")));
    }

    private Answer change(Call call) {
        own(call);
        var fields = call.json();
        var role = fields.parsed("role", Role::parse, Role.READER);
        fields.finish();
        return Answer.ok(members.change(call.origin(), id(call, "user_id", "member"), role, Preconditions.of(call)));
    }

    private Answer remove(Call call) {
        own(call);
        members.remove(call.origin(), id(call, "user_id", "member"), Preconditions.of(call));
        return Answer.empty(204);
    }

    private Answer leave(Call call) {
        own(call);
        members.remove(call.origin(), Accounts.person(call.origin().caller()).userId(), Preconditions.of(call));
        return Answer.empty(204);
    }

    // --- invitations ---

    private Answer listInvitations(Call call) {
        UUID organization = whole(call);
        var paging = Paging.of(call);
        var rows = invitations.list(organization, paging.after(), paging.fetch());
        return paging.answer(rows, row -> row.id().toString(), Function.identity());
    }

    private Answer invite(Call call) {
        own(call);
        var fields = call.json();
        var email = fields.parsed("email", EmailAddress::parse, NOBODY);
        var role = fields.parsed("role", Role::parse, Role.READER);
        fields.finish();
        var created = invitations.create(call.origin(), email, role);
        return Answer.createdSecret(call.rawPath() + "/" + created.id(), created, created.withToken(null));
    }

    private Answer getInvitation(Call call) {
        return Answer.ok(invitations.get(whole(call), id(call, "invitation_id", "invitation")));
    }

    private Answer revoke(Call call) {
        own(call);
        invitations.revoke(call.origin(), id(call, "invitation_id", "invitation"), Preconditions.of(call));
        return Answer.empty(204);
    }

    private Answer resend(Call call) {
        own(call);
        var sent = invitations.resend(call.origin(), id(call, "invitation_id", "invitation"));
        return Answer.secret(sent, sent.withToken(null));
    }

    /// For somebody who signed in by the token alone; for others it makes the account, which takes a password.
    private Answer accept(Call call) {
        var fields = call.json();
        var token = Secret.of(fields.required("token", OneTimeSecret.MAX_LENGTH));
        if (!fields.has("token")) {
            fields.finish(); // without it, nobody knows whether a password is needed
        }
        boolean signedIn = call.caller() instanceof Caller.Known;
        var password = signedIn ? Secret.of("") : SessionsApi.newPassword(fields, "password");
        String fullName = fields.optional("fullName", MAX_NAME);
        fields.finish();
        if (signedIn) {
            return Answer.ok(joining.accept(call.origin(), token));
        }
        return Answer.ok(
                joining.accept(SessionsApi.visit(call), token, new InvitationAcceptance.Newcomer(password, fullName)));
    }
}
