package dev.sheaf.server.identity;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Secret;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.MasterSecret;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.Members;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The code of an authenticator that signing in with a password takes besides, for who wants it (RFC 6238).
/// Thread-safe. Each code is good once; wrong ones are counted like wrong passwords, apart from those.
public final class SecondFactor {
    private static final Logger LOG = LoggerFactory.getLogger(SecondFactor.class);
    private static final String DIGITS = "[0-9]{6}";

    private final Database database;
    private final SealedSeeds seeds;
    private final RecoveryCodes recovery;
    private final PasswordChanges passwords;
    private final Attempts attempts;

    SecondFactor(Database database, MasterSecret master, PasswordChanges passwords, Attempts attempts) {
        this.database = database;
        this.seeds = new SealedSeeds(master);
        this.recovery = new RecoveryCodes(master);
        this.passwords = passwords;
        this.attempts = attempts;
    }

    /// What an authenticator is told, once.
    ///
    /// @param seed in base32
    /// @param uri the same and whose it is, to be shown as a QR code
    public record Enrolment(Secret seed, Secret uri) {}

    // --- what people do with their own ---

    /// Makes a seed. Nothing asks for its codes until [#confirm]; a seed that waits for that is replaced.
    ///
    /// @throws ProblemException conflict where codes are asked for already, or where there is no password
    public Enrolment enrol(Origin origin) {
        Access.inPerson(origin.caller());
        UUID id = Accounts.person(origin.caller()).userId();
        byte[] seed = seeds.generate();
        String sealed = seeds.seal(id, seed);
        var account = database.write(tx -> {
            var own = withoutCodes(tx, id);
            if (own.password() == null) {
                throw new Problem.Conflict("the account has no password, and codes are asked for besides that; a"
                                + " provider asks for its own")
                        .raise();
            }
            TotpRows.delete(tx, id);
            TotpRows.insert(tx, id, sealed);
            AuditRows.record(tx, Accounts.at(tx, origin, id), "user.enrol_totp", id.toString());
            return own;
        });
        return new Enrolment(
                Secret.of(Totp.text(seed)),
                Secret.of("otpauth://totp/Sheaf:"
                        + URLEncoder.encode(account.email().value(), StandardCharsets.UTF_8)
                        + "?secret=" + Totp.text(seed) + "&issuer=Sheaf&algorithm=SHA1&digits=6&period=30"));
    }

    /// Asks for codes from now on, since the authenticator has shown that it makes them.
    ///
    /// @return recovery codes, shown this once
    /// @throws ProblemException validation-failed for a wrong code; conflict where no seed waits; rate-limited
    public List<Secret> confirm(Origin origin, Secret code) {
        Access.inPerson(origin.caller());
        UUID id = Accounts.person(origin.caller()).userId();
        begin(id);
        var codes = RecoveryCodes.generate();
        var hashes = codes.stream().map(one -> recovery.hash(id, one)).toList();
        database.write(tx -> {
            var account = withoutCodes(tx, id);
            if (TotpRows.find(tx, id).isEmpty()) {
                throw new Problem.Conflict("there is nothing to confirm; begin with POST /v1/users/me/totp").raise();
            }
            if (!isNext(tx, id, code)) {
                throw wrongCode();
            }
            TotpRows.activate(tx, id);
            TotpRows.insertCodes(tx, id, hashes);
            Attempts.succeeded(tx, subject(id));
            remember(tx, origin, account, "user.enable_totp");
            return id;
        });
        return codes;
    }

    /// Asks for no codes any more.
    ///
    /// @param code of the authenticator, or a recovery code
    /// @throws ProblemException validation-failed where the password or the code is wrong; not-found where none are
    /// asked for; rate-limited
    public void remove(Origin origin, Secret password, Secret code) {
        Access.inPerson(origin.caller());
        UUID id = Accounts.person(origin.caller()).userId();
        var account = database.read(tx -> AccountRows.find(tx, id)).orElseThrow();
        if (!account.hasTotp()) {
            throw none();
        }
        passwords.proven(account, password, "password");
        begin(id);
        database.write(tx -> {
            var current = AccountRows.lock(tx, id).orElseThrow();
            if (!current.hasTotp()) {
                throw none();
            }
            if (!accepts(tx, id, code)) {
                throw wrongCode();
            }
            Attempts.succeeded(tx, subject(id));
            return removeFor(tx, origin, current);
        });
    }

    private static Account withoutCodes(Tx tx, UUID id) {
        var account = AccountRows.lock(tx, id).orElseThrow();
        if (account.hasTotp()) {
            throw new Problem.Conflict("codes are asked for already; remove that first, with DELETE").raise();
        }
        return account;
    }

    private static ProblemException none() {
        return new Problem.NotFound("an authenticator of this account").raise();
    }

    private static ProblemException wrongCode() {
        return PasswordRules.refuse("code", "mismatch", "is not the code of now, or was used before");
    }

    // --- inside of others' transactions ---

    /// Removes the authenticator of somebody whose row is held, where there is one.
    static boolean removeFor(Tx tx, Origin origin, Account account) {
        boolean removed = TotpRows.delete(tx, account.id());
        if (removed) {
            remember(tx, origin, account, "user.remove_totp");
        }
        return removed;
    }

    private static void remember(Tx tx, Origin origin, Account account, String action) {
        UUID id = account.id();
        AuditRows.record(tx, Accounts.at(tx, origin, id), action, id.toString());
        boolean enabled = action.equals("user.enable_totp");
        var event = new Event.UserTotpChanged(id, account.email().value(), enabled);
        Members.of(tx, id).keySet().forEach(organization -> OutboxRows.emit(tx, organization, event));
    }

    /// Counts an attempt at a code that has yet to succeed.
    ///
    /// @throws ProblemException rate-limited
    void begin(UUID account) {
        attempts.begin(subject(account));
    }

    private String subject(UUID account) {
        return attempts.subject("totp " + account);
    }

    /// The same, where a code was given.
    ///
    /// @throws ProblemException totp-required; rate-limited
    void begin(UUID account, @Nullable Secret code) {
        given(code);
        begin(account);
    }

    private static Secret given(@Nullable Secret code) {
        if (code == null) {
            throw new Problem.TotpRequired("the account takes a code besides the password; send the password again with"
                            + " the member totp: what the authenticator shows, or a recovery code")
                    .raise();
        }
        return code;
    }

    /// Lets somebody pass whose row is held, and uses the code up.
    ///
    /// @throws ProblemException totp-required
    void require(Tx tx, Account account, @Nullable Secret code) {
        if (!accepts(tx, account.id(), given(code))) {
            throw new Problem.TotpRequired(
                            "the code is wrong, or was used before; take the next one, or a recovery code")
                    .raise();
        }
        Attempts.succeeded(tx, subject(account.id()));
    }

    private boolean accepts(Tx tx, UUID account, Secret code) {
        return isDigits(code)
                ? isNext(tx, account, code)
                : TotpRows.takeCode(tx, account, recovery.hash(account, code));
    }

    private static boolean isDigits(Secret code) {
        return digits(code).matches(DIGITS);
    }

    /// Authenticators show them in two groups.
    private static String digits(Secret code) {
        return code.expose().replaceAll("\\s", "");
    }

    private boolean isNext(Tx tx, UUID account, Secret code) {
        var row = TotpRows.find(tx, account).orElseThrow();
        var seed = seeds.open(account, row.seed());
        if (seed.isEmpty()) {
            LOG.warn("the authenticator of account {} was enrolled under another master key; remove it", account);
            return false;
        }
        var step = Totp.match(seed.get(), digits(code), tx.now(), row.lastStep());
        return step.isPresent() && TotpRows.use(tx, account, step.getAsLong());
    }
}
