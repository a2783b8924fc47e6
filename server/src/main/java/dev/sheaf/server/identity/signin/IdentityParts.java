package dev.sheaf.server.identity.signin;

import dev.sheaf.engine.db.Database;
import dev.sheaf.server.auth.AccessTokens;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.PageSessions;
import dev.sheaf.server.identity.PasswordChanges;
import dev.sheaf.server.identity.PasswordTicketRows;
import dev.sheaf.server.identity.Passwords;
import dev.sheaf.server.identity.SessionEnds;
import dev.sheaf.server.identity.Sessions;
import dev.sheaf.server.identity.SignInAttempts;
import dev.sheaf.server.identity.factor.SecondFactor;
import dev.sheaf.server.identity.factor.TotpChanges;
import dev.sheaf.server.org.member.Invitations;

/// Builds and connects the parts of this package. Thread-safe.
public final class IdentityParts {
    private final Database database;
    private final Sessions sessions;
    private final SessionEnds sessionEnds;
    private final PageSessions pageSessions;
    private final Accounts accounts;
    private final SignIn signIn;
    private final PasswordChanges passwordChanges;
    private final AccountAdministration administration;
    private final InvitationAcceptance joining;
    private final SecondFactor secondFactor;
    private final TotpChanges totp;

    public IdentityParts(
            Database database,
            Passwords passwords,
            MasterSecret master,
            AccessTokens tokens,
            Sessions.Limits limits,
            Invitations invitations) {
        this.database = database;
        var attempts = new SignInAttempts(database, master);
        this.sessions = new Sessions(database, master, tokens, limits);
        this.sessionEnds = new SessionEnds(database, master);
        this.pageSessions = new PageSessions(database, master, limits);
        this.accounts = new Accounts(database);
        this.passwordChanges = new PasswordChanges(database, master, passwords, attempts);
        this.secondFactor = new SecondFactor(master, attempts);
        this.totp = new TotpChanges(database, master, passwordChanges, secondFactor);
        this.signIn = new SignIn(database, passwords, attempts, sessions, secondFactor);
        this.joining = new InvitationAcceptance(database, passwords, invitations);
        this.administration = new AccountAdministration(database, passwords, passwordChanges);
    }

    /// Deletes data that expired long ago.
    public void purge() {
        database.write(tx -> {
            SessionEnds.purge(tx);
            SignInAttempts.purge(tx);
            PasswordTicketRows.purge(tx);
            return tx;
        });
    }

    public Sessions sessions() {
        return sessions;
    }

    public SessionEnds sessionEnds() {
        return sessionEnds;
    }

    public PageSessions pageSessions() {
        return pageSessions;
    }

    public Accounts accounts() {
        return accounts;
    }

    public SignIn signIn() {
        return signIn;
    }

    public InvitationAcceptance joining() {
        return joining;
    }

    public AccountAdministration administration() {
        return administration;
    }

    public SecondFactor secondFactor() {
        return secondFactor;
    }

    public TotpChanges totp() {
        return totp;
    }

    public PasswordChanges passwords() {
        return passwordChanges;
    }
}
