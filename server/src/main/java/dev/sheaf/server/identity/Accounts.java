package dev.sheaf.server.identity;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.LiveSessionRows;
import dev.sheaf.server.org.member.Members;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// People's accounts: their profiles, and whether they may sign in. Thread-safe.
public final class Accounts {
    private static final int NAMES_TRIED = 20;

    private final Database database;

    public Accounts(Database database) {
        this.database = database;
    }

    /// Returns the person behind a credential.
    ///
    /// @throws ProblemException forbidden for credentials that do not belong to a person
    public static Credential.Session person(Caller.Known caller) {
        if (caller.credential() instanceof Credential.Session session) {
            return session;
        }
        throw new Problem.Forbidden("this needs a person's session, but the credential is not a session; sign in")
                .raise();
    }

    /// Returns the origin for the audit entry of a change to an account.
    public static ChangeOrigin at(Tx tx, ChangeOrigin origin, UUID account) {
        return origin.in(Sessions.home(tx, account));
    }

    /// Records that a provider proved the address of an account. The first time, this removes the password,
    /// tickets and authenticator and ends all sessions, because they may belong to another person.
    public static void prove(Tx tx, Account account, ChangeOrigin origin) {
        if (account.emailProvedAt() != null) {
            return;
        }
        AccountRows.prove(tx, account.id());
        PasswordTicketRows.drop(tx, account.id());
        TotpRows.delete(tx, account.id());
        SessionEnds.endAll(tx, account.id(), null, "its owner proved the address of the account");
        AuditRows.record(
                tx,
                at(tx, origin, account.id()),
                "user.prove_address",
                account.id().toString());
    }

    // --- read ---

    /// @throws ProblemException not-found
    public User get(UUID id) {
        return database.read(tx -> shown(tx, existing(AccountRows.find(tx, id), id.toString())));
    }

    /// Returns an account by its id or e-mail address.
    ///
    /// @throws ProblemException not-found
    public User find(String idOrEmail) {
        return database.read(tx -> shown(tx, find(tx, idOrEmail)));
    }

    /// Lists all accounts, newest first, starting before the id `before`.
    public List<User> list(@Nullable String before, int limit) {
        return database.read(tx -> AccountRows.list(tx, before == null ? TimeOrderedIds.END : before, limit).stream()
                .map(account -> shown(tx, account))
                .toList());
    }

    public static User shown(Tx tx, Account account) {
        return new User(
                account.id(),
                account.email().value(),
                account.username(),
                account.fullName(),
                account.timeZone(),
                account.state(),
                account.hasTotp(),
                account.createdAt(),
                account.signedInAt(),
                Members.belongings(tx, account.id()));
    }

    public static Account find(Tx tx, String idOrEmail) {
        return existing(
                idOrEmail.contains("@")
                        ? AccountRows.find(tx, EmailAddress.parse(idOrEmail))
                        : id(idOrEmail).flatMap(id -> AccountRows.find(tx, id)),
                idOrEmail);
    }

    private static Optional<UUID> id(String text) {
        try {
            return Optional.of(UUID.fromString(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Account existing(Optional<Account> account, String named) {
        return account.orElseThrow(() -> new Problem.NotFound("user " + Quoted.of(named)).raise());
    }

    // --- change ---

    /// Creates an account without a password.
    ///
    /// @throws ProblemException name-taken if the address has an account already
    public static Account create(Tx tx, EmailAddress email, @Nullable String fullName, String actor) {
        if (AccountRows.find(tx, email).isPresent()) {
            throw new Problem.NameTaken("the e-mail address " + email).raise();
        }
        for (int i = 1; i <= NAMES_TRIED; i++) {
            var id = AccountRows.insert(tx, email, username(email, i), fullName, actor);
            if (id.isPresent()) {
                return AccountRows.find(tx, id.get()).orElseThrow();
            }
        }
        throw new Problem.Conflict("the account could not be created; try again").raise();
    }

    /// Returns the part of the address before the at sign as a handle. Later tries append a number, and the
    /// last one a random UUID.
    private static String username(EmailAddress email, int attempt) {
        String plain = email.local().replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String base = plain.isEmpty() ? "user" : plain;
        return switch (attempt) {
            case 1 -> base;
            case NAMES_TRIED -> base + "-" + UUID.randomUUID();
            default -> base + "-" + attempt;
        };
    }

    /// Changes a person's names and time zone.
    ///
    /// @param check inspects the current account, and may refuse
    /// @throws ProblemException name-taken
    public User edit(ChangeOrigin origin, ProfileEdit edit, Consumer<User> check) {
        Access.inPerson(origin.caller());
        UUID id = person(origin.caller()).userId();
        return database.write(tx -> {
            var before = AccountRows.lock(tx, id).orElseThrow();
            check.accept(shown(tx, before));
            String username = edit.username() == null
                    ? before.username()
                    : edit.username().value();
            String fullName = edit.namesFully() ? edit.fullName() : before.fullName();
            boolean isOwn = username.equals(before.username());
            if (!isOwn || !Objects.equals(fullName, before.fullName())) {
                if (!isOwn && AccountRows.hasUsername(tx, username)) {
                    throw new Problem.NameTaken("the username " + Quoted.of(username)).raise();
                }
                AccountRows.rename(tx, id, username, fullName);
                AuditRows.record(tx, at(tx, origin, id), "user.rename", id.toString());
            }
            if (edit.movesZone() && !Objects.equals(edit.timeZone(), before.timeZone())) {
                AccountRows.setTimeZone(tx, id, edit.timeZone());
                AuditRows.record(tx, at(tx, origin, id), "user.time_zone", id.toString());
            }
            return shown(tx, AccountRows.find(tx, id).orElseThrow());
        });
    }

    /// Disables or enables an account. Either ends its sessions: on this node before the call returns, on other
    /// nodes within two seconds.
    ///
    /// @throws ProblemException not-found
    public User setDisabled(ChangeOrigin origin, String idOrEmail, boolean disabled) {
        return database.write(tx -> {
            var id = find(tx, idOrEmail).id();
            var account = AccountRows.lock(tx, id).orElseThrow(); // or a concurrent sign-in would stay valid
            if (account.isDisabled() != disabled) {
                LiveSessionRows.changed(tx, account.id());
                SessionEnds.endAll(tx, account.id(), null, "the account was disabled");
                AccountRows.setDisabled(tx, account.id(), disabled);
                AuditRows.record(
                        tx,
                        at(tx, origin, account.id()),
                        disabled ? "user.disable" : "user.enable",
                        account.id().toString());
            }
            return shown(tx, AccountRows.find(tx, account.id()).orElseThrow());
        });
    }
}
