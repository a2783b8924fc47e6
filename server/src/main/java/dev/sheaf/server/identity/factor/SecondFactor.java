package dev.sheaf.server.identity.factor;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.FreshFactor;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.identity.Account;
import dev.sheaf.server.identity.AccountRows;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.PasswordRules;
import dev.sheaf.server.identity.SignInAttempts;
import dev.sheaf.server.identity.TotpRows;
import dev.sheaf.server.org.member.Members;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks the code that signing in also requires if the person has enabled an authenticator (RFC 6238). Each
/// code works once. Wrong codes are limited like wrong passwords, but counted separately. Thread-safe.
public final class SecondFactor implements FreshFactor {
    private static final Logger LOG = LoggerFactory.getLogger(SecondFactor.class);
    private static final String DIGITS = "[0-9]{6}";
    /// The limit of a code of either kind in characters, with room for spaces.
    public static final int MAX_CODE = 100;

    private final SealedSeeds seeds;
    private final RecoveryCodes recovery;
    private final SignInAttempts attempts;

    public SecondFactor(MasterSecret master, SignInAttempts attempts) {
        this.seeds = new SealedSeeds(master);
        this.recovery = new RecoveryCodes(master);
        this.attempts = attempts;
    }

    /// Removes the authenticator of an account if there is one. The account's row must be locked.
    public static boolean removeFor(Tx tx, ChangeOrigin origin, Account account) {
        boolean removed = TotpRows.delete(tx, account.id());
        if (removed) {
            remember(tx, origin, account, "user.remove_totp");
        }
        return removed;
    }

    static void remember(Tx tx, ChangeOrigin origin, Account account, String action) {
        UUID id = account.id();
        AuditRows.record(tx, Accounts.at(tx, origin, id), action, id.toString());
        boolean enabled = action.equals("user.enable_totp");
        if (enabled == account.hasTotp()) {
            return; // the authenticator was never confirmed, so nothing changes for the person
        }
        var event = new Event.UserTotpChanged(id, account.email().value(), enabled);
        Members.of(tx, id).keySet().forEach(organization -> OutboxRows.emit(tx, origin.in(organization), event));
    }

    /// Counts an attempt at a code before its result is known.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    @Override
    public void begin(UUID account) {
        attempts.begin(subject(account));
    }

    private String subject(UUID account) {
        return attempts.subject("totp " + account);
    }

    /// Counts an attempt, and requires that a code was sent.
    ///
    /// @throws dev.sheaf.model.ProblemException totp-required; rate-limited
    public void begin(UUID account, @Nullable Secret code) {
        given(code);
        begin(account);
    }

    private static Secret given(@Nullable Secret code) {
        if (code == null) {
            throw new Problem.TotpRequired("the account also needs a code; send the password again with"
                            + " the code of the authenticator, or a recovery code, in the member totp")
                    .raise();
        }
        return code;
    }

    /// Checks the code of an account whose row is locked, and marks it as used.
    ///
    /// @throws dev.sheaf.model.ProblemException totp-required
    public void require(Tx tx, Account account, @Nullable Secret code) {
        if (!accepts(tx, account.id(), given(code))) {
            throw new Problem.TotpRequired(
                            "the code is wrong or was already used; send the next code, or a recovery code")
                    .raise();
        }
        succeeded(tx, account.id());
    }

    @Override
    public boolean isSetUp(Tx tx, UUID person) {
        return AccountRows.find(tx, person).filter(Account::hasTotp).isPresent();
    }

    @Override
    public void prove(Tx tx, UUID person, Secret code) {
        boolean isRight =
                AccountRows.lock(tx, person).filter(Account::hasTotp).isPresent() && accepts(tx, person, code);
        if (!isRight) {
            throw PasswordRules.refuse("code", "mismatch", "is not the current code, or was already used");
        }
        succeeded(tx, person);
    }

    void succeeded(Tx tx, UUID account) {
        SignInAttempts.succeeded(tx, subject(account));
    }

    boolean accepts(Tx tx, UUID account, Secret code) {
        return isDigits(code)
                ? isNext(tx, account, code)
                : TotpRows.takeCode(tx, account, recovery.hash(account, code));
    }

    private static boolean isDigits(Secret code) {
        return digits(code).matches(DIGITS);
    }

    /// Removes spaces, because authenticators show the digits in two groups.
    private static String digits(Secret code) {
        return code.expose().replaceAll("\\s", "");
    }

    boolean isNext(Tx tx, UUID account, Secret code) {
        var row = TotpRows.find(tx, account).orElseThrow();
        var seed = seeds.open(account, row.seed());
        if (seed.isEmpty()) {
            LOG.warn("the authenticator of account {} was enrolled under another master key; remove it", account);
            return false;
        }
        var step = TotpCodes.match(seed.get(), digits(code), tx.now(), row.lastStep());
        return step.isPresent() && TotpRows.use(tx, account, step.getAsLong());
    }
}
