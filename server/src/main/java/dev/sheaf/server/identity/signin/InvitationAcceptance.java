package dev.sheaf.server.identity.signin;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.org.Joined;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.secret.OneTimeSecret;
import dev.sheaf.server.identity.AccountRows;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.PasswordRules;
import dev.sheaf.server.identity.Passwords;
import dev.sheaf.server.identity.Sessions;
import dev.sheaf.server.identity.SignInSource;
import dev.sheaf.server.org.member.Invitations;
import dev.sheaf.server.org.member.Members;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Accepts invitations with the account of a signed-in person, or with a new account. Thread-safe.
public final class InvitationAcceptance {
    private final Database database;
    private final Passwords passwords;
    private final Invitations invitations;

    InvitationAcceptance(Database database, Passwords passwords, Invitations invitations) {
        this.database = database;
        this.passwords = passwords;
        this.invitations = invitations;
    }

    /// @param password the password of the new account; empty if the person has an account
    public record Command(
            Secret token, Secret password, @Nullable String fullName) {
        private static final int MAX_NAME = 200;

        /// @param isNew whether an account is created, which requires a password
        public static Command parse(RequestFields fields, boolean isNew) {
            var token = Secret.of(fields.required("token", OneTimeSecret.MAX_LENGTH));
            if (!fields.has("token")) {
                fields.finish(); // reports the missing token alone, without errors about the password
            }
            var password = isNew ? PasswordRules.parse(fields, "password") : Secret.of("");
            return new Command(token, password, fields.optional("fullName", MAX_NAME));
        }
    }

    /// Returns the address to which an open invitation was sent.
    ///
    /// @throws ProblemException not-found for the token
    public EmailAddress invited(Secret token) {
        return new EmailAddress(invitations.open(token).email());
    }

    /// Accepts with the account of the caller.
    ///
    /// @throws ProblemException not-found for the token; forbidden if the invitation is for another address
    public Joined accept(ChangeOrigin origin, Secret token) {
        Access.inPerson(origin.caller());
        var person = Accounts.person(origin.caller());
        var invitation = invitations.open(token);
        if (!invitation.email().equals(person.name())) {
            throw new Problem.Forbidden(
                            "the invitation is for another e-mail address than yours; sign in with that address")
                    .raise();
        }
        return database.write(tx -> joined(tx, origin, token, person.userId()));
    }

    /// Accepts by creating an account with the invited address. If the account exists, nothing changes, and the
    /// invitation waits for its owner. Answer and duration are the same, so that the holder of the token does
    /// not learn whether the account exists.
    ///
    /// @throws ProblemException not-found for the token; validation-failed for the password
    public Joined accept(SignInSource visit, Command newcomer) {
        var token = newcomer.token();
        var invitation = invitations.open(token);
        var email = new EmailAddress(invitation.email());
        PasswordRules.check("password", newcomer.password(), email);
        String encoded = passwords.hash(newcomer.password());
        var organization = database.write(tx -> {
            if (AccountRows.find(tx, email).isPresent()) {
                return invitations.organization(tx, token);
            }
            var account = Accounts.create(tx, email, newcomer.fullName(), AccountRows.BY_INVITATION);
            AccountRows.setPassword(tx, account.id(), encoded);
            var self = new Credential.Session(account.id(), account.id(), email.value());
            var joined = joined(tx, visit.origin(self, account.id()), token, account.id());
            AuditRows.record(
                    tx,
                    visit.origin(self, Sessions.home(tx, account.id())),
                    "user.create",
                    account.id().toString());
            return joined.organization();
        });
        return new Joined(null, organization, invitation.role(), next(email));
    }

    private static String next(EmailAddress email) {
        return "sign in as " + email + "; if the account existed before, it keeps its old password, and you accept the"
                + " invitation after signing in";
    }

    private Joined joined(Tx tx, ChangeOrigin origin, Secret token, UUID account) {
        var organization = invitations.accept(tx, token, account, origin.actor());
        AuditRows.record(
                tx,
                origin.in(organization.id()),
                "invitation.accept",
                account.toString(),
                origin.caller().credential().name());
        var user = Accounts.shown(tx, AccountRows.find(tx, account).orElseThrow());
        var role = Objects.requireNonNull(Members.of(tx, account).get(organization.id()));
        return new Joined(user, organization, role.toString(), null);
    }
}
