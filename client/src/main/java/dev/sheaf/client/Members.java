package dev.sheaf.client;

import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.Invitation;
import dev.sheaf.model.wire.Member;
import java.net.URI;
import java.util.List;
import java.util.UUID;

/// The people of one organization and the invitations into it (contract 5.5); every call needs the scope `admin`.
/// Thread-safe.
public final class Members {
    private final Transport transport;
    private final String members;
    private final String invitations;

    Members(Transport transport, String organization) {
        this.transport = transport;
        String path = "/v1/organizations/" + Pull.encode(organization);
        this.members = path + "/members";
        this.invitations = path + "/invitations";
    }

    /// The body of a change.
    private record RoleChange(String role) {}

    /// The body of an invitation.
    private record NewInvitation(String email, String role) {}

    /// All members, in the registry's order.
    public List<Member> list() {
        return Pages.read(transport, members, Member.class, Integer.MAX_VALUE);
    }

    /// @param who id or e-mail address of a member; an address costs a list of all
    /// @throws SheafException.NotFound where nobody of the organization has it
    public Member find(String who) {
        if (who.indexOf('@') < 0) {
            return transport.json(Call.get(at(members, who)), Member.class);
        }
        String address = EmailAddress.parse(who).value();
        return list().stream()
                .filter(member -> member.email().equals(address))
                .findFirst()
                .orElseThrow(() -> new SheafException.NotFound(
                        address + " is no member of this organization", SheafException.Answer.NONE));
    }

    /// Only owners make and unmake owners.
    public Member change(UUID user, Role role) {
        var call = Call.of("PATCH", at(members, user.toString())).sendingJson(new RoleChange(role.toString()));
        return transport.json(call, Member.class);
    }

    /// @throws SheafException.Conflict where it is the last owner
    public void remove(UUID user) {
        transport.head(
                Call.of("DELETE", at(members, user.toString())).expecting(204).once());
    }

    /// Invites somebody. The answer holds a token, which is never shown again. Not sent twice: where the connection
    /// breaks, an invitation may exist whose token nobody knows; resend it.
    ///
    /// @throws SheafException.Conflict where the person is a member or invited already
    public Invitation invite(EmailAddress email, Role role) {
        var call = Call.of("POST", transport.registry().at(invitations))
                .sendingJson(new NewInvitation(email.value(), role.toString()))
                .expecting(201)
                .once();
        return transport.json(call, Invitation.class);
    }

    /// All invitations, in the registry's order, also those that are over.
    public List<Invitation> invitations() {
        return Pages.read(transport, invitations, Invitation.class, Integer.MAX_VALUE);
    }

    /// Makes a new token, which is in the answer, and ends the one before.
    public Invitation resend(UUID invitation) {
        var call = Call.of("POST", at(invitations, invitation + ":resend")).once();
        return transport.json(call, Invitation.class);
    }

    public void revoke(UUID invitation) {
        transport.head(Call.of("DELETE", at(invitations, invitation.toString())).expecting(204));
    }

    private URI at(String path, String rest) {
        return transport.registry().at(path + "/" + Pull.encode(rest).replace("%3A", ":"));
    }
}
