package dev.sheaf.server.identity;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.auth.secret.OneTimeSecret;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Sets passwords, with the old password or with a ticket from an administrator. Thread-safe.
public final class PasswordChanges {
    /// The lifetime of a ticket.
    public static final Duration TICKET = Duration.ofDays(3);

    private static final String LABEL = "password-ticket/1";

    private final Database database;
    private final MasterSecret master;
    private final Passwords passwords;
    private final SignInAttempts attempts;

    public PasswordChanges(Database database, MasterSecret master, Passwords passwords, SignInAttempts attempts) {
        this.database = database;
        this.master = master;
        this.passwords = passwords;
        this.attempts = attempts;
    }

    /// A ticket that sets a password once.
    public record Ticket(Secret secret, Instant endsAt) {}

    /// A change from an old to a new password.
    public record Change(Secret old, Secret next) {
        public static Change parse(RequestFields fields) {
            return new Change(
                    Secret.of(fields.required("currentPassword", PasswordRules.MAX_LENGTH)),
                    PasswordRules.parse(fields, "newPassword"));
        }
    }

    /// A password that is set with a ticket.
    public record Setting(Secret ticket, Secret password) {
        public static Setting parse(RequestFields fields) {
            return new Setting(
                    Secret.of(fields.required("token", OneTimeSecret.MAX_LENGTH)),
                    PasswordRules.parse(fields, "password"));
        }
    }

    /// Replaces the caller's password and ends the caller's other sessions.
    ///
    /// @throws ProblemException validation-failed if the old password is wrong or the new one is not accepted;
    /// rate-limited; conflict if the account has no password
    public void change(ChangeOrigin origin, Change change) {
        Access.inPerson(origin.caller());
        var own = Accounts.person(origin.caller());
        var account = database.read(tx -> AccountRows.find(tx, own.userId())).orElseThrow();
        String stored = proven(account, change.old(), "currentPassword");
        PasswordRules.check("newPassword", change.next(), account.email());
        String encoded = passwords.hash(change.next());
        database.write(tx -> {
            if (!stored.equals(AccountRows.lock(tx, account.id()).orElseThrow().password())) {
                throw new Problem.Conflict("the password was changed in the meantime; sign in again").raise();
            }
            set(tx, account.id(), encoded, own.id());
            AuditRows.record(
                    tx,
                    Accounts.at(tx, origin, account.id()),
                    "user.change_password",
                    account.id().toString());
            return encoded;
        });
    }

    /// Checks the password that the caller sent, and returns its stored form.
    ///
    /// @throws ProblemException those of [#change]
    public String proven(Account account, Secret password, String member) {
        String stored = account.password();
        if (stored == null) {
            throw new Problem.Conflict("the account has no password; an administrator can issue a ticket to set one")
                    .raise();
        }
        String subject = attempts.subject("email " + account.email());
        attempts.begin(subject);
        if (!passwords.matches(password, stored)) {
            throw PasswordRules.refuse(member, "mismatch", "is not the password");
        }
        database.write(tx -> {
            SignInAttempts.succeeded(tx, subject);
            return subject;
        });
        return stored;
    }

    private static void set(Tx tx, UUID account, String encoded, @Nullable UUID kept) {
        AccountRows.setPassword(tx, account, encoded);
        PasswordTicketRows.drop(tx, account);
        SessionEnds.endAll(tx, account, kept, "the password was changed");
    }

    // --- tickets ---

    /// Issues a ticket to set the account's password; earlier tickets stop working.
    public Ticket ticket(Tx tx, Secret secret, UUID account) {
        Instant end = tx.now().plus(TICKET);
        PasswordTicketRows.drop(tx, account);
        PasswordTicketRows.insert(tx, master.hashOf(LABEL, secret), account, end);
        return new Ticket(secret, end);
    }

    public static Secret newTicket() {
        return OneTimeSecret.generate("shp");
    }

    /// Sets the password of the ticket's account, and ends all its sessions.
    ///
    /// @throws ProblemException not-found if the ticket has expired, was used or never existed;
    /// validation-failed if the password is not accepted, and the ticket then stays valid
    public void use(SignInSource visit, Setting setting) {
        String hash = master.hashOf(LABEL, setting.ticket());
        var account = database.read(tx -> PasswordTicketRows.owner(tx, hash).flatMap(id -> AccountRows.find(tx, id)))
                .orElseThrow(PasswordChanges::noTicket);
        PasswordRules.check("password", setting.password(), account.email());
        String encoded = passwords.hash(setting.password());
        database.write(tx -> {
            UUID id = PasswordTicketRows.take(tx, hash).orElseThrow(PasswordChanges::noTicket);
            AccountRows.lock(tx, id);
            set(tx, id, encoded, null);
            SignInAttempts.succeeded(tx, attempts.subject("email " + account.email()));
            var self = new Credential.Session(id, id, account.email().value());
            AuditRows.record(tx, visit.origin(self, Sessions.home(tx, id)), "user.set_password", id.toString());
            return id;
        });
    }

    private static ProblemException noTicket() {
        return new Problem.NotFound("this ticket (a ticket works once, within " + TICKET.toDays()
                        + " days, and only until the next one is issued)")
                .raise();
    }
}
