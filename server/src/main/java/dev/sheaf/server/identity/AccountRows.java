package dev.sheaf.server.identity;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.EmailAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class AccountRows {
    /// The creator of accounts made by invitation. Such an account does not prove its address, because the
    /// inviter passes on the token.
    public static final String BY_INVITATION = "invitation";

    private static final String SELECT = """
            SELECT id, email, username, full_name, time_zone, password, created_at, signed_in_at, disabled_at,
                   CASE WHEN created_by = 'invitation' THEN email_proved_at ELSE created_at END AS email_proved_at,
                   EXISTS (SELECT 1 FROM totp t WHERE t.account_id = account.id AND t.activated_at IS NOT NULL) AS has_totp
            FROM account
            """;

    private AccountRows() {}

    public static Optional<Account> find(Tx tx, UUID id) {
        return tx.find(SELECT + "WHERE id = :id", Account.class, "id", id);
    }

    public static Optional<Account> find(Tx tx, EmailAddress email) {
        return tx.find(SELECT + "WHERE email = :email", Account.class, "email", email);
    }

    /// Locks the account until the transaction ends.
    public static Optional<Account> lock(Tx tx, UUID id) {
        return tx.find(SELECT + "WHERE id = :id" + tx.dialect().forUpdate(), Account.class, "id", id);
    }

    static List<Account> list(Tx tx, String before, int limit) {
        return tx.list(
                SELECT + "WHERE id < :before ORDER BY id DESC LIMIT :limit",
                Account.class,
                "before",
                before,
                "limit",
                limit);
    }

    /// @return empty if the address or the name is taken
    static Optional<UUID> insert(Tx tx, EmailAddress email, String username, @Nullable String fullName, String actor) {
        record Row(
                UUID id,
                EmailAddress email,
                String username,
                @Nullable String name,
                Instant now,
                String actor) {}
        return tx.find(
                """
                INSERT INTO account (id, email, username, full_name, created_at, created_by)
                VALUES (:id, :email, :username, :name, :now, :actor) ON CONFLICT DO NOTHING RETURNING id
                """, UUID.class, new Row(TimeOrderedIds.next(tx.now()), email, username, fullName, tx.now(), actor));
    }

    static boolean hasUsername(Tx tx, String username) {
        return tx.has("SELECT 1 FROM account WHERE username = :username", "username", username);
    }

    static void rename(Tx tx, UUID id, String username, @Nullable String fullName) {
        tx.change(
                "UPDATE account SET username = :username, full_name = :name WHERE id = :id",
                "username",
                username,
                "name",
                fullName,
                "id",
                id);
    }

    static void setTimeZone(Tx tx, UUID id, @Nullable String zone) {
        tx.change("UPDATE account SET time_zone = :zone WHERE id = :id", "zone", zone, "id", id);
    }

    public static void setPassword(Tx tx, UUID id, String encoded) {
        tx.change(
                "UPDATE account SET password = :encoded, password_changed_at = :now WHERE id = :id",
                "encoded",
                encoded,
                "id",
                id);
    }

    /// Stores the same password, hashed with a different cost.
    public static void setHash(Tx tx, UUID id, String encoded) {
        tx.change("UPDATE account SET password = :encoded WHERE id = :id", "encoded", encoded, "id", id);
    }

    /// Marks the address as proved. Removes the password, because another person may have set it.
    static void prove(Tx tx, UUID id) {
        tx.change("""
                        UPDATE account SET email_proved_at = :now, password = NULL, password_changed_at = :now
                        WHERE id = :id
                        """, "id", id);
    }

    static void signedIn(Tx tx, UUID id) {
        tx.change("UPDATE account SET signed_in_at = :now WHERE id = :id", "id", id);
    }

    static void setDisabled(Tx tx, UUID id, boolean disabled) {
        tx.change("UPDATE account SET disabled_at = :at WHERE id = :id", "at", disabled ? tx.now() : null, "id", id);
    }
}
