package dev.sheaf.server.org.member;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.org.Member;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.LiveSessionRows;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.OrganizationRows;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The members of organizations and their roles (contract 5.5). Thread-safe. A change takes effect on this node
/// immediately, and on other nodes within two seconds.
public final class Members {
    private final Database database;

    public Members(Database database) {
        this.database = database;
    }

    /// Returns the memberships of a person, the oldest first.
    public static Map<UUID, Role> of(Tx tx, UUID account) {
        return MembershipRows.of(tx, account);
    }

    /// Returns the same memberships in the form that is shown.
    public static List<User.Belonging> belongings(Tx tx, UUID account) {
        return MembershipRows.belongings(tx, account);
    }

    /// Makes a person a member. Changes nothing if the person is a member already.
    ///
    /// @return whether the person became a member
    public static boolean join(Tx tx, UUID organization, UUID account, Role role, String actor) {
        return join(tx, organization, account, role, actor, actor);
    }

    /// Makes a person a member as [#join(Tx, UUID, UUID, Role, String)] does.
    ///
    /// @param grantedBy who decided that, such as the one who invited the person
    static boolean join(Tx tx, UUID organization, UUID account, Role role, String actor, String grantedBy) {
        OrganizationRows.lock(tx, organization);
        boolean isNew = MembershipRows.insert(tx, organization, account, role, actor, grantedBy);
        if (isNew) {
            LiveSessionRows.changed(tx, account);
            var member = MembershipRows.find(tx, organization, account).orElseThrow();
            OutboxRows.emit(tx, organization, new Event.MemberJoined(account, member.email(), role.toString()));
        }
        return isNew;
    }

    /// Lists the members of the caller's organization in the order of their accounts' ids, starting after the id
    /// `after`.
    ///
    /// @throws ProblemException forbidden for a restricted key, because people do not belong to a namespace
    public List<Member> list(Caller.Known caller, @Nullable String after, int limit) {
        Access.unrestricted(caller);
        UUID organization = caller.organizationId();
        return database.read(tx -> MembershipRows.list(tx, organization, after == null ? "" : after, limit));
    }

    /// @throws ProblemException not-found; those of [#list]
    public Member get(Caller.Known caller, UUID account) {
        Access.unrestricted(caller);
        return database.read(tx -> require(tx, caller.organizationId(), account));
    }

    private static Member require(Tx tx, UUID organization, UUID account) {
        return MembershipRows.find(tx, organization, account)
                .orElseThrow(() -> new Problem.NotFound("member " + account + " of this organization").raise());
    }

    /// Changes the role of a member of the caller's organization.
    ///
    /// @param check inspects the current member, and may refuse
    /// @throws ProblemException not-found; forbidden if only an owner may make this change; conflict for the
    /// last owner
    public Member change(ChangeOrigin origin, UUID account, Role role, Consumer<Member> check) {
        Access.inPerson(origin.caller());
        Access.unrestricted(origin.caller());
        UUID organization = origin.organizationId();
        return database.write(tx -> {
            OrganizationRows.lock(tx, organization);
            var before = require(tx, organization, account);
            check.accept(before);
            var old = Role.parse(before.role());
            if (old != role) {
                mayMake(tx, origin, old);
                mayMake(tx, origin, role);
                keepAnOwner(tx, organization, account, old);
                MembershipRows.setRole(tx, organization, account, role, origin.actor());
                LiveSessionRows.changed(tx, account);
                OutboxRows.emit(tx, origin, new Event.MemberChanged(account, before.email(), role.toString()));
                AuditRows.record(tx, origin, "member.change", account.toString(), old + " to " + role);
            }
            return require(tx, organization, account);
        });
    }

    /// Removes a member from the caller's organization. Every member may leave.
    ///
    /// @param check inspects the current member, and may refuse
    /// @throws ProblemException those of [#change]
    public void remove(ChangeOrigin origin, UUID account, Consumer<Member> check) {
        Access.inPerson(origin.caller());
        Access.unrestricted(origin.caller());
        UUID organization = origin.organizationId();
        database.write(tx -> {
            OrganizationRows.lock(tx, organization);
            var member = require(tx, organization, account);
            check.accept(member);
            var role = Role.parse(member.role());
            if (!isSelf(origin, account)) {
                mayMake(tx, origin, role);
            }
            keepAnOwner(tx, organization, account, role);
            MembershipRows.delete(tx, organization, account);
            LiveSessionRows.changed(tx, account);
            OutboxRows.emit(tx, origin, new Event.MemberRemoved(account, member.email()));
            AuditRows.record(tx, origin, "member.remove", account.toString(), member.email());
            return account;
        });
    }

    private static boolean isSelf(ChangeOrigin origin, UUID account) {
        return origin.caller().credential() instanceof Credential.Session session
                && session.userId().equals(account);
    }

    /// Refuses callers other than owners if they add or remove an owner. A key with the scope admin counts as
    /// an admin, so it can only add the first owner.
    static void mayMake(Tx tx, ChangeOrigin origin, Role role) {
        if (role == Role.OWNER) {
            requireOwner(tx, origin, "add or remove owners");
        }
    }

    /// Refuses callers other than owners. While the organization has no owner, a key with the scope admin is enough.
    ///
    /// @param what completes "only owners of the organization can"
    public static void requireOwner(Tx tx, ChangeOrigin origin, String what) {
        UUID organization = origin.organizationId();
        boolean allowed = switch (origin.caller().credential()) {
            case Credential.Session session ->
                MembershipRows.role(tx, organization, session.userId()).orElse(Role.READER) == Role.OWNER;
            case Credential.Key ignored -> MembershipRows.owners(tx, organization, null) == 0;
            case Credential.Run ignored -> false;
            case Credential.Operator ignored -> true;
            case Credential.Scanner ignored -> false;
        };
        if (!allowed) {
            throw new Problem.Forbidden("only owners of the organization can " + what + "; ask one of them").raise();
        }
    }

    private static void keepAnOwner(Tx tx, UUID organization, UUID account, Role role) {
        if (role == Role.OWNER && MembershipRows.owners(tx, organization, account) == 0) {
            throw new Problem.Conflict("this is the last owner of the organization; make another member an owner first")
                    .raise();
        }
    }
}
