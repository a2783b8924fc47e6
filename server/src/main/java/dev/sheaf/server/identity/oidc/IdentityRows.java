package dev.sheaf.server.identity.oidc;

import dev.sheaf.engine.db.Tx;
import java.util.Optional;
import java.util.UUID;

/// The accounts of providers' subjects.
final class IdentityRows {
    private IdentityRows() {}

    static Optional<UUID> find(Tx tx, String issuer, String subject) {
        return tx.find(
                "SELECT account_id FROM account_identity WHERE issuer = :issuer AND subject = :subject",
                UUID.class,
                "issuer",
                issuer,
                "subject",
                subject);
    }

    /// @return false if the subject has an account already
    static boolean insert(Tx tx, String issuer, String subject, UUID account) {
        return tx.change("""
                                INSERT INTO account_identity (issuer, subject, account_id, created_at)
                                VALUES (:issuer, :subject, :account, :now) ON CONFLICT DO NOTHING
                                """, "issuer", issuer, "subject", subject, "account", account) == 1;
    }
}
