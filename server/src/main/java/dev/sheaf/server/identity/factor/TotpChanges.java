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
import dev.sheaf.server.identity.Account;
import dev.sheaf.server.identity.AccountRows;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.PasswordChanges;
import dev.sheaf.server.identity.PasswordRules;
import dev.sheaf.server.identity.SessionRows;
import dev.sheaf.server.identity.TotpRows;
import dev.sheaf.server.input.Fields;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// What people do with the authenticators of their own accounts. Thread-safe. Whoever changes anything about one
/// shows once more who they are: somebody who finds a session open must neither lock its owner out nor stay in.
public final class TotpChanges {
    /// How long ago somebody without a password may have signed in to count as being there.
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

    /// What an authenticator is told, once.
    ///
    /// @param seed in base32
    /// @param uri the same and whose it is, to be shown as a QR code
    public record Enrolment(Secret seed, Secret uri) {}

    /// By what somebody shows once more who they are.
    ///
    /// @param password null: none was given
    /// @param code of the authenticator, or a recovery code
    public record Proof(@Nullable Secret password, Secret code) {
        public static Proof parse(Fields fields) {
            return new Proof(PasswordRules.given(fields), TotpChanges.code(fields));
        }
    }

    public static Secret code(Fields fields) {
        return Secret.of(fields.required("code", SecondFactor.MAX_CODE));
    }

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

    /// Makes other recovery codes; those before them are good no more.
    ///
    /// @return the codes, shown this once
    /// @throws ProblemException as [#remove]
    public List<Secret> renewRecoveryCodes(Origin origin, Proof proof) {
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

    /// Asks for no codes any more.
    ///
    /// @throws ProblemException validation-failed where the code is wrong; not-found where none are asked for;
    /// rate-limited; as [#again]
    public void remove(Origin origin, Proof proof) {
        change(origin, proof, (tx, account) -> SecondFactor.removeFor(tx, origin, account));
    }

    private void change(Origin origin, Proof proof, BiConsumer<Tx, Account> work) {
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
}
