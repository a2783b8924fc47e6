package dev.sheaf.server.identity.signin;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.identity.Account;
import dev.sheaf.server.identity.AccountRows;
import dev.sheaf.server.identity.PasswordRules;
import dev.sheaf.server.identity.Passwords;
import dev.sheaf.server.identity.Sessions;
import dev.sheaf.server.identity.SignInAttempts;
import dev.sheaf.server.identity.SignInSource;
import dev.sheaf.server.identity.factor.SecondFactor;
import org.jspecify.annotations.Nullable;

/// Signs people in with their e-mail address and password. A wrong password and an unknown address get the same
/// answer after the same time, and have the same limits. Thread-safe.
public final class SignIn {
    private final Database database;
    private final Passwords passwords;
    private final SignInAttempts attempts;
    private final Sessions sessions;
    private final SecondFactor secondFactor;

    SignIn(
            Database database,
            Passwords passwords,
            SignInAttempts attempts,
            Sessions sessions,
            SecondFactor secondFactor) {
        this.database = database;
        this.passwords = passwords;
        this.attempts = attempts;
        this.sessions = sessions;
        this.secondFactor = secondFactor;
    }

    /// The credentials of a sign-in.
    ///
    /// @param code the code of the person's authenticator, or a recovery code; null if none was sent
    public record Command(
            EmailAddress email, Secret password, @Nullable Secret code) {
        private static final EmailAddress NOBODY = new EmailAddress("nobody@localhost");

        public static Command parse(RequestFields fields) {
            var email = fields.parsed("email", EmailAddress::parse, NOBODY);
            var password = Secret.of(fields.required("password", PasswordRules.MAX_LENGTH));
            String code = fields.optional("totp", SecondFactor.MAX_CODE);
            return new Command(email, password, code == null ? null : Secret.of(code));
        }

        /// Reads the same from the form of a page.
        public static Command parse(FormFields form) {
            return new Command(
                    EmailAddress.parse(form.required("email")),
                    Secret.of(form.required("password")),
                    form.single("totp").map(Secret::of).orElse(null));
        }
    }

    /// Begins a session.
    ///
    /// @throws ProblemException unauthenticated; totp-required if the password is right; rate-limited after
    /// many failed attempts; unavailable if too many people sign in at the same time
    public Sessions.Opened withPassword(SignInSource visit, Command command) {
        String subject = attempts.subject("email " + command.email());
        attempts.begin(subject);
        var account = database.read(tx -> AccountRows.find(tx, command.email())).orElse(null);
        String stored = account == null ? null : account.password();
        if (!passwords.matches(command.password(), stored) || account == null || stored == null) {
            throw wrong();
        }
        if (account.hasTotp()) {
            secondFactor.begin(account.id(), command.code());
        }
        String renewed = passwords.isOutdated(stored) ? passwords.hash(command.password()) : null;
        return sessions.open(database.write(tx -> {
            var current = AccountRows.lock(tx, account.id()).orElseThrow();
            if (!stored.equals(current.password())) {
                throw wrong(); // it was changed during the comparison
            }
            SignInAttempts.succeeded(tx, subject);
            if (current.hasTotp()) {
                secondFactor.require(tx, current, command.code());
            }
            return enter(tx, current, renewed, visit);
        }));
    }

    private Sessions.Begun enter(Tx tx, Account account, @Nullable String renewed, SignInSource visit) {
        if (account.isDisabled()) {
            throw new Problem.Unauthenticated(
                            CredentialFault.DISABLED, "the account is disabled; an administrator can enable it")
                    .raise();
        }
        if (renewed != null) {
            AccountRows.setHash(tx, account.id(), renewed);
        }
        return sessions.begin(
                tx, new Sessions.Entry(account.id(), account.email().value(), "password", visit));
    }

    private static ProblemException wrong() {
        return new Problem.Unauthenticated(
                        CredentialFault.UNKNOWN, "the e-mail address is unknown here, or the password is wrong")
                .raise();
    }
}
