package dev.sheaf.server.identity;

import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

public final class PasswordTicketRows {
    private PasswordTicketRows() {}

    static void insert(Tx tx, String hash, UUID account, Instant endsAt) {
        tx.change("""
                        INSERT INTO password_ticket (hash, account_id, created_at, ends_at)
                        VALUES (:hash, :account, :now, :end)
                        """, "hash", hash, "account", account, "end", endsAt);
    }

    /// Takes the ticket and returns its account. Only one of two concurrent calls succeeds.
    static Optional<UUID> take(Tx tx, String hash) {
        return tx.find(
                "DELETE FROM password_ticket WHERE hash = :hash AND ends_at > :now RETURNING account_id",
                UUID.class,
                "hash",
                hash);
    }

    static Optional<UUID> owner(Tx tx, String hash) {
        return tx.find(
                "SELECT account_id FROM password_ticket WHERE hash = :hash AND ends_at > :now",
                UUID.class,
                "hash",
                hash);
    }

    static void drop(Tx tx, UUID account) {
        tx.change("DELETE FROM password_ticket WHERE account_id = :account", "account", account);
    }

    public static void purge(Tx tx) {
        tx.change("DELETE FROM password_ticket WHERE ends_at <= :now");
    }
}
