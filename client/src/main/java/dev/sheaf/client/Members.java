package dev.sheaf.client;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Role;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.org.Invitation;
import dev.sheaf.model.wire.org.Joined;
import dev.sheaf.model.wire.org.Member;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The members of one organization and its invitations (contract 5.5). Every call needs the scope `admin`.
/// Thread-safe.
public final class Members {
    private final ApiResource organization;

    Members(ApiResource organization) {
        this.organization = organization;
    }

    private record RoleChange(String role) {}

    private record NewInvitation(String email, String role) {}

    /// The request to accept an invitation.
    private record Join(
            String token,
            @Nullable String password,
            @Nullable String fullName) {
        /// Hides the secrets.
        @Override
        public String toString() {
            return "Join[…]";
        }
    }

    static Joined join(
            RegistryTransport transport, Secret token, @Nullable Secret password, @Nullable String fullName) {
        var request = new Join(
                token.expose(), password == null ? null : password.expose(), password == null ? null : fullName);
        var call = HttpCall.of("POST", transport.at("/v1/invitations:accept"));
        return transport.json(call.sendingJson(request).once(), Joined.class);
    }

    /// Returns all members, in the registry's order.
    public List<Member> list() {
        return organization.list("/members", Member.class);
    }

    /// Finds a member.
    ///
    /// @param who an id or an e-mail address; for an address, all members are fetched
    /// @throws SheafException.NotFound if no member has this id or address
    public Member find(String who) {
        if (who.indexOf('@') < 0) {
            return organization.get("/members/" + HttpCall.encode(who), Member.class);
        }
        String address = EmailAddress.parse(who).value();
        return list().stream()
                .filter(member -> member.email().equals(address))
                .findFirst()
                .orElseThrow(() -> new SheafException.NotFound(
                        address + " is not a member of this organization", SheafException.Answer.NONE));
    }

    /// Changes a member's role. Only owners can appoint and demote owners.
    public Member change(UUID user, Role role) {
        return organization.patch("/members/" + user, new RoleChange(role.toString()), Member.class);
    }

    /// Removes a member.
    ///
    /// @throws SheafException.Conflict if it is the last owner
    public void remove(UUID user) {
        organization
                .transport()
                .head(organization
                        .call("DELETE", "/members/" + user)
                        .expecting(204)
                        .once());
    }

    /// Invites a person. The result contains a token, which is never shown again. The request is not retried: if
    /// the connection breaks, an invitation with an unknown token may exist; resend it.
    ///
    /// @throws SheafException.Conflict if the person is a member or already invited
    public Invitation invite(EmailAddress email, Role role) {
        var invitation = new NewInvitation(email.value(), role.toString());
        return organization.create("/invitations", invitation, Invitation.class);
    }

    /// Returns all invitations, in the registry's order, including finished ones.
    public List<Invitation> invitations() {
        return organization.list("/invitations", Invitation.class);
    }

    /// Creates a new token, which only this result contains, and invalidates the previous token.
    public Invitation resend(UUID invitation) {
        var call = organization
                .call("POST", "/invitations/" + invitation + ":resend")
                .once();
        return organization.transport().json(call, Invitation.class);
    }

    /// Withdraws an invitation; its token is no longer accepted.
    public void revoke(UUID invitation) {
        organization
                .transport()
                .head(organization.call("DELETE", "/invitations/" + invitation).expecting(204));
    }
}
