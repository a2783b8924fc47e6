package dev.sheaf.server.identity.factor;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.identity.Account;
import dev.sheaf.server.identity.AccountRows;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.PasswordChanges;
import dev.sheaf.server.identity.PasswordRules;
import dev.sheaf.server.identity.SessionRows;
import dev.sheaf.server.identity.SignInAttempts;
import dev.sheaf.server.identity.TotpRows;
import dev.sheaf.server.org.member.Members;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The code of an authenticator that signing in takes besides, for who wants it (RFC 6238). Thread-safe. Each code
/// is good once; wrong ones are counted like wrong passwords, apart from those. Whoever changes anything about it
/// shows once more who they are: somebody who finds a session open must neither lock its owner out nor stay in.
public final class SecondFactor {
    private static final Logger LOG = LoggerFactory.getLogger(SecondFactor.class);
    private static final String DIGITS = "[0-9]{6}";
    /// How long ago somebody without a password may have signed in to count as being there.
    static final Duration FRESH = Duration.ofMinutes(10);

    private final Database database;
    private final SealedSeeds seeds;
    private final RecoveryCodes recovery;
    private final PasswordChanges passwords;
    private final SignInAttempts attempts;

    public SecondFactor(Database database, MasterSecret master, PasswordChanges passwords, SignInAttempts attempts) {
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
    /// @param password null: none was given
    /// @throws ProblemException conflict where codes are asked for already; as [#again]
    public Enrolment enrol(Origin origin, @Nullable Secret password) {
        var known = own(origin);
        if (known.hasTotp()) {
            throw already();
        }
        again(origin, known, password);
        UUID id = known.id();
        byte[] seed = seeds.generate();
        String sealed = seeds.seal(id, seed);
        var account = database.write(tx -> {
            var own = withoutCodes(tx, id);
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
        UUID id = own(origin).id();
        begin(id);
        var codes = RecoveryCodes.generate();
        database.write(tx -> {
            var account = withoutCodes(tx, id);
            if (TotpRows.find(tx, id).isEmpty()) {
                throw new Problem.Conflict("there is nothing to confirm; begin with POST /v1/users/me/totp").raise();
            }
            if (!isNext(tx, id, code)) {
                throw wrongCode();
            }
            TotpRows.activate(tx, id);
            TotpRows.insertCodes(tx, id, hashes(id, codes));
            SignInAttempts.succeeded(tx, subject(id));
            remember(tx, origin, account, "user.enable_totp");
            return id;
        });
        return codes;
    }

    private List<String> hashes(UUID account, List<Secret> codes) {
        return codes.stream().map(one -> recovery.hash(account, one)).toList();
    }

    /// Makes other recovery codes; those before them are good no more.
    ///
    /// @param code as [#remove]
    /// @return the codes, shown this once
    /// @throws ProblemException as [#remove]
    public List<Secret> renewRecoveryCodes(Origin origin, @Nullable Secret password, Secret code) {
        var codes = RecoveryCodes.generate();
        change(origin, password, code, (tx, account) -> {
            TotpRows.deleteCodes(tx, account.id());
            TotpRows.insertCodes(tx, account.id(), hashes(account.id(), codes));
            AuditRows.record(
                    tx,
                    Accounts.at(tx, origin, account.id()),
                    "user.renew_recovery_codes",
                    account.id().toString());
        });
        return codes;
    }

    /// Asks for no codes any more.
    ///
    /// @param password null: none was given
    /// @param code of the authenticator, or a recovery code
    /// @throws ProblemException validation-failed where the code is wrong; not-found where none are asked for;
    /// rate-limited; as [#again]
    public void remove(Origin origin, @Nullable Secret password, Secret code) {
        change(origin, password, code, (tx, account) -> removeFor(tx, origin, account));
    }

    private void change(Origin origin, @Nullable Secret password, Secret code, BiConsumer<Tx, Account> work) {
        var account = own(origin);
        if (!account.hasTotp()) {
            throw none();
        }
        again(origin, account, password);
        begin(account.id());
        database.write(tx -> {
            var current = AccountRows.lock(tx, account.id()).orElseThrow();
            if (!current.hasTotp()) {
                throw none();
            }
            if (!accepts(tx, account.id(), code)) {
                throw wrongCode();
            }
            SignInAttempts.succeeded(tx, subject(account.id()));
            work.accept(tx, current);
            return current;
        });
    }

    private Account own(Origin origin) {
        Access.inPerson(origin.caller());
        UUID id = Accounts.person(origin.caller()).userId();
        return database.read(tx -> AccountRows.find(tx, id)).orElseThrow();
    }

    /// Has somebody who is signed in show once more who they are: by the password, or where the account has none,
    /// by having signed in just now.
    ///
    /// @throws ProblemException validation-failed where the password is missing or wrong; rate-limited; forbidden
    /// where the sign-in is longer ago than [#FRESH]
    private void again(Origin origin, Account account, @Nullable Secret password) {
        if (account.password() != null) {
            if (password == null) {
                throw PasswordRules.refuse("password", "required", "is required");
            }
            passwords.proven(account, password, "password");
            return;
        }
        UUID session = Accounts.person(origin.caller()).id();
        boolean fresh = database.read(tx -> SessionRows.find(tx, session)
                .filter(row -> tx.now().isBefore(row.createdAt().plus(FRESH)))
                .isPresent());
        if (!fresh) {
            throw new Problem.Forbidden("the account has no password, so this takes a sign-in of the last "
                            + FRESH.toMinutes() + " minutes; sign in again")
                    .raise();
        }
    }

    private static Account withoutCodes(Tx tx, UUID id) {
        var account = AccountRows.lock(tx, id).orElseThrow();
        if (account.hasTotp()) {
            throw already();
        }
        return account;
    }

    private static ProblemException already() {
        return new Problem.Conflict("codes are asked for already; remove that first, with DELETE").raise();
    }

    private static ProblemException none() {
        return new Problem.NotFound("an authenticator of this account").raise();
    }

    private static ProblemException wrongCode() {
        return PasswordRules.refuse("code", "mismatch", "is not the code of now, or was used before");
    }

    // --- inside of others' transactions ---

    /// Removes the authenticator of somebody whose row is held, where there is one.
    public static boolean removeFor(Tx tx, Origin origin, Account account) {
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
        if (enabled == account.hasTotp()) {
            return; // it was never confirmed, so nothing changes for anybody
        }
        var event = new Event.UserTotpChanged(id, account.email().value(), enabled);
        Members.of(tx, id).keySet().forEach(organization -> OutboxRows.emit(tx, origin.in(organization), event));
    }

    /// Counts an attempt at a code that has yet to succeed.
    ///
    /// @throws ProblemException rate-limited
    public void begin(UUID account) {
        attempts.begin(subject(account));
    }

    private String subject(UUID account) {
        return attempts.subject("totp " + account);
    }

    /// The same, where a code was given.
    ///
    /// @throws ProblemException totp-required; rate-limited
    public void begin(UUID account, @Nullable Secret code) {
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
    public void require(Tx tx, Account account, @Nullable Secret code) {
        if (!accepts(tx, account.id(), given(code))) {
            throw new Problem.TotpRequired(
                            "the code is wrong, or was used before; take the next one, or a recovery code")
                    .raise();
        }
        SignInAttempts.succeeded(tx, subject(account.id()));
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
