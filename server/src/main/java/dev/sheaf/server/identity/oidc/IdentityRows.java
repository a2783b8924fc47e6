package dev.sheaf.server.identity.oidc;

import dev.sheaf.server.db.Tx;
import java.util.Optional;
import java.util.UUID;

/// Whom providers' subjects are here.
final class IdentityRows {
    private IdentityRows() {}

    static Optional<UUID> find(Tx tx, String issuer, String subject) {
        return tx.handle()
                .createQuery("SELECT account_id FROM account_identity WHERE issuer = :issuer AND subject = :subject")
                .bind("issuer", issuer)
                .bind("subject", subject)
                .mapTo(UUID.class)
                .findOne();
    }

    /// @return false where the subject is somebody already
    static boolean insert(Tx tx, String issuer, String subject, UUID account) {
        return tx.handle()
                        .createUpdate("""
                                INSERT INTO account_identity (issuer, subject, account_id, created_at)
                                VALUES (:issuer, :subject, :account, :now) ON CONFLICT DO NOTHING
                                """)
                        .bind("issuer", issuer)
                        .bind("subject", subject)
                        .bind("account", account)
                        .bind("now", tx.now())
                        .execute()
                == 1;
    }
}
