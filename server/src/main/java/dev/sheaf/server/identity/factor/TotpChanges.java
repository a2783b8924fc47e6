package dev.sheaf.server.identity.factor;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.identity.Account;
import dev.sheaf.server.identity.AccountRows;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.PasswordChanges;
import dev.sheaf.server.identity.PasswordRules;
import dev.sheaf.server.identity.SessionRows;
import dev.sheaf.server.identity.TotpRows;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Changes that people make to their own authenticators. Each change requires proof of identity again: somebody
/// who finds an open session must not be able to lock out its owner, or to keep access. Thread-safe.
public final class TotpChanges {
    /// The greatest age of a sign-in that proves the identity of a person without a password.
    static final Duration FRESH = Duration.ofMinutes(10);

    private final Database database;
    private final SealedSeeds seeds;
    private final RecoveryCodes recovery;
    private final PasswordChanges passwords;
    private final SecondFactor secondFactor;

    public TotpChanges(Database database, MasterSecret master, PasswordChanges passwords, SecondFactor secondFactor) {
        this.database = database;
        this.seeds = new SealedSeeds(master);
        this.recovery = new RecoveryCodes(master);
        this.passwords = passwords;
        this.secondFactor = secondFactor;
    }

    /// The data for an authenticator, which is shown once.
    ///
    /// @param seed the seed in base32
    /// @param uri the seed and the account, to be shown as a QR code
    public record Enrolment(Secret seed, Secret uri) {}

    /// The proof of identity.
    ///
    /// @param password null if none was sent
    /// @param code the code of the authenticator, or a recovery code
    public record Proof(@Nullable Secret password, Secret code) {
        public static Proof parse(RequestFields fields) {
            return new Proof(PasswordRules.given(fields), TotpChanges.code(fields));
        }
    }

    public static Secret code(RequestFields fields) {
        return Secret.of(fields.required("code", SecondFactor.MAX_CODE));
    }

    /// Makes a seed, and replaces an earlier seed that was not confirmed. Codes are required only after
    /// [#confirm].
    ///
    /// @param password null if none was sent
    /// @throws ProblemException conflict if codes are already required; those of [#again]
    public Enrolment enrol(ChangeOrigin origin, @Nullable Secret password) {
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
                Secret.of(TotpCodes.text(seed)),
                Secret.of("otpauth://totp/Sheaf:"
                        + URLEncoder.encode(account.email().value(), StandardCharsets.UTF_8)
                        + "?secret=" + TotpCodes.text(seed) + "&issuer=Sheaf&algorithm=SHA1&digits=6&period=30"));
    }

    /// Requires codes from now on, after a first code has proved that the authenticator works.
    ///
    /// @return recovery codes; they are shown only now
    /// @throws ProblemException validation-failed for a wrong code; conflict if no seed waits for confirmation;
    /// rate-limited
    public List<Secret> confirm(ChangeOrigin origin, Secret code) {
        UUID id = own(origin).id();
        secondFactor.begin(id);
        var codes = RecoveryCodes.generate();
        database.write(tx -> {
            var account = withoutCodes(tx, id);
            if (TotpRows.find(tx, id).isEmpty()) {
                throw new Problem.Conflict("there is nothing to confirm; begin with POST /v1/users/me/totp").raise();
            }
            if (!secondFactor.isNext(tx, id, code)) {
                throw wrongCode();
            }
            TotpRows.activate(tx, id);
            TotpRows.insertCodes(tx, id, hashes(id, codes));
            secondFactor.succeeded(tx, id);
            SecondFactor.remember(tx, origin, account, "user.enable_totp");
            return id;
        });
        return codes;
    }

    private List<String> hashes(UUID account, List<Secret> codes) {
        return codes.stream().map(one -> recovery.hash(account, one)).toList();
    }

    /// Makes new recovery codes; the old ones stop working.
    ///
    /// @return the codes; they are shown only now
    /// @throws ProblemException those of [#remove]
    public List<Secret> renewRecoveryCodes(ChangeOrigin origin, Proof proof) {
        var codes = RecoveryCodes.generate();
        change(origin, proof, (tx, account) -> {
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

    /// Stops requiring codes.
    ///
    /// @throws ProblemException validation-failed if the code is wrong; not-found if no codes are required;
    /// rate-limited; those of [#again]
    public void remove(ChangeOrigin origin, Proof proof) {
        change(origin, proof, (tx, account) -> SecondFactor.removeFor(tx, origin, account));
    }

    private void change(ChangeOrigin origin, Proof proof, BiConsumer<Tx, Account> work) {
        var account = own(origin);
        if (!account.hasTotp()) {
            throw none();
        }
        again(origin, account, proof.password());
        secondFactor.begin(account.id());
        database.write(tx -> {
            var current = AccountRows.lock(tx, account.id()).orElseThrow();
            if (!current.hasTotp()) {
                throw none();
            }
            if (!secondFactor.accepts(tx, account.id(), proof.code())) {
                throw wrongCode();
            }
            secondFactor.succeeded(tx, account.id());
            work.accept(tx, current);
            return current;
        });
    }

    private Account own(ChangeOrigin origin) {
        Access.inPerson(origin.caller());
        UUID id = Accounts.person(origin.caller()).userId();
        return database.read(tx -> AccountRows.find(tx, id)).orElseThrow();
    }

    /// Requires proof of identity again from a person who is signed in: the password or, if the account has
    /// none, a recent sign-in.
    ///
    /// @throws ProblemException validation-failed if the password is missing or wrong; rate-limited; forbidden
    /// if the sign-in is older than [#FRESH]
    private void again(ChangeOrigin origin, Account account, @Nullable Secret password) {
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
            throw new Problem.Forbidden("the account has no password, so this needs a sign-in within the last "
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
        return new Problem.Conflict("the account already has an authenticator; remove it first, with DELETE").raise();
    }

    private static ProblemException none() {
        return new Problem.NotFound("an authenticator of this account").raise();
    }

    private static ProblemException wrongCode() {
        return PasswordRules.refuse("code", "mismatch", "is not the current code, or was already used");
    }
}
