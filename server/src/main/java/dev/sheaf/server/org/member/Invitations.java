package dev.sheaf.server.org.member;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Role;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.org.Invitation;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.auth.secret.OneTimeSecret;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.OrganizationRows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Invitations into organizations (contract 5.5). The inviter passes the token on, because the registry sends
/// no mail. Only a keyed hash of a token is stored. Thread-safe.
public final class Invitations {
    private static final String LABEL = "invitation/1";

    private final Database database;
    private final MasterSecret master;
    private final Duration lifetime;

    public Invitations(Database database, MasterSecret master, Duration lifetime) {
        this.database = database;
        this.master = master;
        this.lifetime = lifetime;
    }

    /// The stored form of a token that is being issued.
    record Handed(String hash, Instant expiresAt) {}

    private static Secret newToken() {
        return OneTimeSecret.generate("shi");
    }

    private Handed handed(Tx tx, Secret token) {
        return new Handed(hash(token), tx.now().plus(lifetime));
    }

    private String hash(Secret token) {
        return master.hashOf(LABEL, token);
    }

    // --- for the inviter ---

    /// Invites a person into the caller's organization. Only this answer contains the token.
    ///
    /// @throws ProblemException conflict if the person is already invited or a member; forbidden if only an
    /// owner may invite for this role
    public Invitation create(ChangeOrigin origin, NewInvitation wanted) {
        var email = wanted.email();
        var role = wanted.role();
        Access.inPerson(origin.caller());
        Access.unrestricted(origin.caller());
        Secret token = newToken();
        UUID organization = origin.organizationId();
        return database.write(tx -> {
            OrganizationRows.lock(tx, organization);
            Members.mayMake(tx, origin, role);
            if (MembershipRows.hasMember(tx, organization, email)) {
                throw new Problem.Conflict(email + " is already a member of the organization").raise();
            }
            UUID id = InvitationRows.insert(tx, organization, wanted, handed(tx, token), origin.actor())
                    .orElseThrow(() -> new Problem.Conflict(
                                    email + " is already invited; resend that invitation, or delete it first")
                            .raise());
            OutboxRows.emit(tx, origin, new Event.InvitationCreated(id, email.value(), role.toString()));
            AuditRows.record(tx, origin, "invitation.create", id.toString(), email + " as " + role);
            return require(tx, organization, id).withToken(token.expose());
        });
    }

    /// Issues a new token for an invitation that was not accepted; the old token stops working.
    ///
    /// @throws ProblemException not-found; conflict if it was accepted or revoked
    public Invitation resend(ChangeOrigin origin, UUID id) {
        Access.inPerson(origin.caller());
        Access.unrestricted(origin.caller());
        Secret token = newToken();
        UUID organization = origin.organizationId();
        return database.write(tx -> {
            OrganizationRows.lock(tx, organization);
            var row = InvitationRows.find(tx, organization, id).orElseThrow(() -> missing(id));
            var invitation = row.shown();
            Members.mayMake(tx, origin, Role.parse(invitation.role()));
            if (!row.state().isOpen()) {
                throw new Problem.Conflict("the invitation was " + invitation.state() + "; create another").raise();
            }
            InvitationRows.resend(tx, id, handed(tx, token));
            AuditRows.record(tx, origin, "invitation.resend", id.toString(), invitation.email());
            return require(tx, organization, id).withToken(token.expose());
        });
    }

    /// Revokes an invitation. Changes nothing if it was already revoked or accepted.
    ///
    /// @param check inspects the current invitation, and may refuse
    /// @throws ProblemException not-found
    public void revoke(ChangeOrigin origin, UUID id, Consumer<Invitation> check) {
        Access.inPerson(origin.caller());
        Access.unrestricted(origin.caller());
        database.write(tx -> {
            var invitation = require(tx, origin.organizationId(), id);
            check.accept(invitation);
            if (InvitationRows.revoke(tx, id)) {
                AuditRows.record(tx, origin, "invitation.revoke", id.toString(), invitation.email());
            }
            return id;
        });
    }

    /// @throws ProblemException not-found; those of [#list]
    public Invitation get(Caller.Known caller, UUID id) {
        Access.unrestricted(caller);
        return database.read(tx -> require(tx, caller.organizationId(), id));
    }

    /// Lists all invitations into the caller's organization, newest first, starting before the id `before`.
    ///
    /// @throws ProblemException forbidden for a restricted key, because people do not belong to a namespace
    public List<Invitation> list(Caller.Known caller, @Nullable String before, int limit) {
        return list(caller, false, before, limit);
    }

    /// Lists the invitations that were neither accepted nor revoked, as [#list].
    public List<Invitation> listOpen(Caller.Known caller, @Nullable String before, int limit) {
        return list(caller, true, before, limit);
    }

    private List<Invitation> list(Caller.Known caller, boolean open, @Nullable String before, int limit) {
        Access.unrestricted(caller);
        UUID organization = caller.organizationId();
        String from = before == null ? TimeOrderedIds.END : before;
        return database.read(tx -> InvitationRows.list(tx, organization, open, from, limit)).stream()
                .map(InvitationRows.Row::shown)
                .toList();
    }

    private static Invitation require(Tx tx, UUID organization, UUID id) {
        return InvitationRows.find(tx, organization, id)
                .map(InvitationRows.Row::shown)
                .orElseThrow(() -> missing(id));
    }

    private static ProblemException missing(UUID id) {
        return new Problem.NotFound("invitation " + id + " of this organization").raise();
    }

    // --- for the invited person ---

    /// Returns the open invitation of a token.
    ///
    /// @throws ProblemException not-found if the token has expired, was used or replaced, or never existed
    public Invitation open(Secret token) {
        return database.read(tx -> open(tx, token));
    }

    private Invitation open(Tx tx, Secret token) {
        return InvitationRows.byHash(tx, hash(token))
                .filter(found -> found.state() == InvitationState.PENDING)
                .map(InvitationRows.Row::shown)
                .orElseThrow(Invitations::gone);
    }

    /// Returns the organization of a token's open invitation.
    ///
    /// @throws ProblemException not-found as [#open]
    public Organization organization(Tx tx, Secret token) {
        return OrganizationRows.find(tx, open(tx, token).organizationId()).orElseThrow();
    }

    /// Accepts an invitation, inside the transaction that identifies the person.
    ///
    /// @param account the account with the invitation's address
    /// @return the organization
    /// @throws ProblemException not-found as [#open]
    public Organization accept(Tx tx, Secret token, UUID account, String actor) {
        var invitation = InvitationRows.byHash(tx, hash(token))
                .map(InvitationRows.Row::shown)
                .orElseThrow(Invitations::gone);
        UUID organization = invitation.organizationId();
        OrganizationRows.lock(tx, organization);
        if (!InvitationRows.accept(tx, invitation.id(), hash(token))) {
            throw gone();
        }
        Members.join(tx, organization, account, Role.parse(invitation.role()), actor, invitation.createdBy());
        return OrganizationRows.find(tx, organization).orElseThrow();
    }

    private static ProblemException gone() {
        return new Problem.NotFound(
                        "an invitation with this token (it works once, until it expires or a new one is sent)")
                .raise();
    }

    /// Deletes invitations that ended before a moment.
    ///
    /// @return how many; fewer than `limit` if no more are due
    public static int removeEnded(Tx tx, Instant before, int limit) {
        return InvitationRows.removeEnded(tx, before, limit);
    }
}
