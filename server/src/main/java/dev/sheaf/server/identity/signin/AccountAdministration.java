package dev.sheaf.server.identity.signin;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.identity.AccountRows;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.PasswordChanges;
import dev.sheaf.server.identity.PasswordRules;
import dev.sheaf.server.identity.Passwords;
import dev.sheaf.server.identity.factor.SecondFactor;
import dev.sheaf.server.org.directory.Organizations;
import dev.sheaf.server.org.member.Members;
import org.jspecify.annotations.Nullable;

/// Changes to accounts by administrators of the installation. Does not check the caller's rights. Thread-safe.
public final class AccountAdministration {
    private final Database database;
    private final Passwords passwords;
    private final PasswordChanges changes;

    AccountAdministration(Database database, Passwords passwords, PasswordChanges changes) {
        this.database = database;
        this.passwords = passwords;
        this.changes = changes;
    }

    /// @param ticket the ticket to set a password; null if no ticket was issued
    public record Handed(User user, PasswordChanges.@Nullable Ticket ticket) {}

    /// Creates an account, and a membership if `wanted` names an organization.
    ///
    /// @throws ProblemException name-taken if the address has an account; not-found for the organization;
    /// validation-failed for the password
    public Handed create(ChangeOrigin origin, NewUser wanted) {
        Secret password = wanted.password();
        if (password != null) {
            PasswordRules.check("password", password, wanted.email());
        }
        String encoded = password == null ? null : passwords.hash(password);
        Secret ticket = PasswordChanges.newTicket();
        return database.write(tx -> {
            var account = Accounts.create(tx, wanted.email(), wanted.fullName(), origin.actor());
            if (wanted.organization() != null) {
                var organization = Organizations.find(tx, wanted.organization());
                Members.join(tx, organization.id(), account.id(), wanted.role(), origin.actor());
            }
            if (encoded != null) {
                AccountRows.setPassword(tx, account.id(), encoded);
            }
            AuditRows.record(
                    tx,
                    Accounts.at(tx, origin, account.id()),
                    "user.create",
                    account.id().toString());
            var handed = encoded == null ? changes.ticket(tx, ticket, account.id()) : null;
            return new Handed(Accounts.shown(tx, Accounts.find(tx, account.id().toString())), handed);
        });
    }

    /// Removes a lost authenticator, so that its owner can sign in with only the password.
    ///
    /// @throws ProblemException not-found
    public User removeTotp(ChangeOrigin origin, String idOrEmail) {
        return database.write(tx -> {
            var id = Accounts.find(tx, idOrEmail).id();
            SecondFactor.removeFor(tx, origin, AccountRows.lock(tx, id).orElseThrow());
            return Accounts.shown(tx, AccountRows.find(tx, id).orElseThrow());
        });
    }

    /// Issues a ticket to set a new password. The old one works until then.
    ///
    /// @throws ProblemException not-found
    public Handed resetPassword(ChangeOrigin origin, String idOrEmail) {
        Secret ticket = PasswordChanges.newTicket();
        return database.write(tx -> {
            var account = Accounts.find(tx, idOrEmail);
            var handed = changes.ticket(tx, ticket, account.id());
            AuditRows.record(
                    tx,
                    Accounts.at(tx, origin, account.id()),
                    "user.reset_password",
                    account.id().toString());
            return new Handed(Accounts.shown(tx, account), handed);
        });
    }
}
