package dev.sheaf.server.identity;

import dev.sheaf.model.EmailAddress;
import dev.sheaf.server.db.Columns;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class AccountRows {
    /// Who made an account by [#BY_INVITATION] has proved nothing: its token is handed on by whoever invites.
    public static final String BY_INVITATION = "invitation";

    private static final String SELECT = """
            SELECT id, email, username, full_name, password, created_at, signed_in_at, disabled_at,
                   CASE WHEN created_by = 'invitation' THEN email_proved_at ELSE created_at END AS email_proved_at,
                   EXISTS (SELECT 1 FROM totp t WHERE t.account_id = account.id AND t.activated_at IS NOT NULL) AS totp
            FROM account
            """;

    private AccountRows() {}

    private static Account account(ResultSet row) throws SQLException {
        return new Account(
                Columns.uuid(row, "id"),
                new EmailAddress(row.getString("email")),
                row.getString("username"),
                row.getString("full_name"),
                row.getString("password"),
                Columns.instant(row, "created_at"),
                Columns.nullableInstant(row, "signed_in_at"),
                Columns.nullableInstant(row, "disabled_at"),
                Columns.nullableInstant(row, "email_proved_at"),
                row.getBoolean("totp"));
    }

    public static Optional<Account> find(Tx tx, UUID id) {
        return tx.handle()
                .createQuery(SELECT + "WHERE id = :id")
                .bind("id", id)
                .map((row, context) -> account(row))
                .findOne();
    }

    public static Optional<Account> find(Tx tx, EmailAddress email) {
        return tx.handle()
                .createQuery(SELECT + "WHERE email = :email")
                .bind("email", email)
                .map((row, context) -> account(row))
                .findOne();
    }

    /// The account, held until the transaction ends.
    public static Optional<Account> lock(Tx tx, UUID id) {
        return tx.handle()
                .createQuery(SELECT + "WHERE id = :id" + tx.dialect().forUpdate())
                .bind("id", id)
                .map((row, context) -> account(row))
                .findOne();
    }

    static List<Account> list(Tx tx, String before, int limit) {
        return tx.handle()
                .createQuery(SELECT + "WHERE id < :before ORDER BY id DESC LIMIT :limit")
                .bind("before", before)
                .bind("limit", limit)
                .map((row, context) -> account(row))
                .list();
    }

    /// @return empty where the address or the name is taken
    static Optional<UUID> insert(Tx tx, EmailAddress email, String username, @Nullable String fullName, String actor) {
        return tx.handle()
                .createQuery("""
                        INSERT INTO account (id, email, username, full_name, created_at, created_by)
                        VALUES (:id, :email, :username, :name, :now, :actor) ON CONFLICT DO NOTHING RETURNING id
                        """)
                .bind("id", Ids.next(tx.now()))
                .bind("email", email)
                .bind("username", username)
                .bind("name", fullName)
                .bind("now", tx.now())
                .bind("actor", actor)
                .mapTo(UUID.class)
                .findOne();
    }

    static boolean hasUsername(Tx tx, String username) {
        return tx.handle()
                .createQuery("SELECT 1 FROM account WHERE username = :username")
                .bind("username", username)
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    static void rename(Tx tx, UUID id, String username, @Nullable String fullName) {
        tx.handle()
                .createUpdate("UPDATE account SET username = :username, full_name = :name WHERE id = :id")
                .bind("username", username)
                .bind("name", fullName)
                .bind("id", id)
                .execute();
    }

    public static void setPassword(Tx tx, UUID id, String encoded) {
        tx.handle()
                .createUpdate("UPDATE account SET password = :encoded, password_changed_at = :now WHERE id = :id")
                .bind("encoded", encoded)
                .bind("now", tx.now())
                .bind("id", id)
                .execute();
    }

    /// The same password under another cost.
    public static void setHash(Tx tx, UUID id, String encoded) {
        tx.handle()
                .createUpdate("UPDATE account SET password = :encoded WHERE id = :id")
                .bind("encoded", encoded)
                .bind("id", id)
                .execute();
    }

    /// The address is its owner's from now on, and the password, which may be somebody else's, is none any more.
    static void prove(Tx tx, UUID id) {
        tx.handle().createUpdate("""
                        UPDATE account SET email_proved_at = :now, password = NULL, password_changed_at = :now
                        WHERE id = :id
                        """).bind("now", tx.now()).bind("id", id).execute();
    }

    static void signedIn(Tx tx, UUID id) {
        tx.handle()
                .createUpdate("UPDATE account SET signed_in_at = :now WHERE id = :id")
                .bind("now", tx.now())
                .bind("id", id)
                .execute();
    }

    static void setDisabled(Tx tx, UUID id, boolean disabled) {
        tx.handle()
                .createUpdate("UPDATE account SET disabled_at = :at WHERE id = :id")
                .bind("at", disabled ? tx.now() : null)
                .bind("id", id)
                .execute();
    }

    // --- tickets ---

    static void insertTicket(Tx tx, String hash, UUID account, Instant endsAt) {
        tx.handle()
                .createUpdate("""
                        INSERT INTO password_ticket (hash, account_id, created_at, ends_at)
                        VALUES (:hash, :account, :now, :end)
                        """)
                .bind("hash", hash)
                .bind("account", account)
                .bind("now", tx.now())
                .bind("end", endsAt)
                .execute();
    }

    /// Whose ticket it is; of two that use it at the same time, one gets it.
    static Optional<UUID> takeTicket(Tx tx, String hash) {
        return tx.handle()
                .createQuery("DELETE FROM password_ticket WHERE hash = :hash AND ends_at > :now RETURNING account_id")
                .bind("hash", hash)
                .bind("now", tx.now())
                .mapTo(UUID.class)
                .findOne();
    }

    static Optional<UUID> ownerOfTicket(Tx tx, String hash) {
        return tx.handle()
                .createQuery("SELECT account_id FROM password_ticket WHERE hash = :hash AND ends_at > :now")
                .bind("hash", hash)
                .bind("now", tx.now())
                .mapTo(UUID.class)
                .findOne();
    }

    static void dropTickets(Tx tx, UUID account) {
        tx.handle()
                .createUpdate("DELETE FROM password_ticket WHERE account_id = :account")
                .bind("account", account)
                .execute();
    }

    public static void purgeTickets(Tx tx) {
        tx.handle()
                .createUpdate("DELETE FROM password_ticket WHERE ends_at <= :now")
                .bind("now", tx.now())
                .execute();
    }
}
