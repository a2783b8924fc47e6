package dev.sheaf.server.auth;

import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.List;

/// Access tokens that were revoked, until they would have expired.
final class RevokedTokenRows {
    private RevokedTokenRows() {}

    /// @return false where it was revoked before
    static boolean insert(Tx tx, String id, Instant expiresAt) {
        return tx.handle()
                        .createUpdate("""
                                INSERT INTO revoked_token (id, expires_at) VALUES (:id, :expires) ON CONFLICT DO NOTHING
                                """)
                        .bind("id", id)
                        .bind("expires", expiresAt)
                        .execute()
                == 1;
    }

    static List<String> list(Tx tx) {
        return tx.handle()
                .createQuery("SELECT id FROM revoked_token WHERE expires_at > :now")
                .bind("now", tx.now())
                .mapTo(String.class)
                .list();
    }

    static boolean containsAny(Tx tx, List<String> ids) {
        return tx.handle()
                        .createQuery("SELECT count(*) FROM revoked_token WHERE id IN (<ids>)")
                        .bindList("ids", ids)
                        .mapTo(Long.class)
                        .one()
                > 0;
    }

    static int purge(Tx tx) {
        return tx.handle()
                .createUpdate("DELETE FROM revoked_token WHERE expires_at <= :now")
                .bind("now", tx.now())
                .execute();
    }
}
