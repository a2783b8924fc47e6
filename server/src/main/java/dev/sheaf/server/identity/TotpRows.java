package dev.sheaf.server.identity;

import dev.sheaf.server.db.Tx;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Authenticators and recovery codes of accounts. Whoever writes holds the account's row.
public final class TotpRows {
    private TotpRows() {}

    /// @param seed sealed
    /// @param lastStep the latest whose code was used
    public record Row(String seed, long lastStep, boolean isActive) {
        /// Leaves the seed out: this record may reach a log.
        @Override
        public String toString() {
            return "Totp[" + lastStep + ", " + isActive + "]";
        }
    }

    public static Optional<Row> find(Tx tx, UUID account) {
        return tx.find(
                "SELECT seed, last_step, activated_at IS NOT NULL AS is_active FROM totp WHERE account_id = :account",
                Row.class,
                "account",
                account);
    }

    public static void insert(Tx tx, UUID account, String seed) {
        tx.change("""
                        INSERT INTO totp (account_id, seed, last_step, created_at) VALUES (:account, :seed, 0, :now)
                        """, "account", account, "seed", seed);
    }

    /// Uses a step up.
    ///
    /// @return false where it, or a later one, was used before
    public static boolean use(Tx tx, UUID account, long step) {
        return tx.change(
                        "UPDATE totp SET last_step = :step WHERE account_id = :account AND last_step < :step",
                        "step",
                        step,
                        "account",
                        account)
                == 1;
    }

    public static void activate(Tx tx, UUID account) {
        tx.change("UPDATE totp SET activated_at = :now WHERE account_id = :account", "account", account);
    }

    /// Removes the authenticator with the recovery codes.
    ///
    /// @return false where there is none
    public static boolean delete(Tx tx, UUID account) {
        deleteCodes(tx, account);
        return tx.change("DELETE FROM totp WHERE account_id = :account", "account", account) == 1;
    }

    public static void deleteCodes(Tx tx, UUID account) {
        tx.change("DELETE FROM recovery_code WHERE account_id = :account", "account", account);
    }

    public static void insertCodes(Tx tx, UUID account, List<String> hashes) {
        tx.each(
                "INSERT INTO recovery_code (hash, account_id, created_at) VALUES (:each, :account, :now)",
                hashes,
                "account",
                account);
    }

    /// Uses a recovery code up.
    ///
    /// @return false where there is none like it
    public static boolean takeCode(Tx tx, UUID account, String hash) {
        return tx.change(
                        "DELETE FROM recovery_code WHERE hash = :hash AND account_id = :account",
                        "hash",
                        hash,
                        "account",
                        account)
                == 1;
    }
}
