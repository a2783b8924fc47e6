package dev.sheaf.server.identity;

import dev.sheaf.engine.db.Tx;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Authenticators and recovery codes of accounts. Writers must hold the lock of the account's row.
public final class TotpRows {
    private TotpRows() {}

    /// @param seed the sealed seed
    /// @param lastStep the latest step whose code was used
    public record Row(String seed, long lastStep, boolean isActive) {
        /// Leaves out the seed, since this record may reach a log.
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

    /// Marks the code of a step as used.
    ///
    /// @return false if the code of this step or of a later one was already used
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

    /// Removes the authenticator and the recovery codes.
    ///
    /// @return false if there is none
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

    /// Deletes a recovery code after its use.
    ///
    /// @return false if the account has no such code
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
