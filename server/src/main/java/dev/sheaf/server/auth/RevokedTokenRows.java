package dev.sheaf.server.auth;

import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.util.List;

/// Revoked access tokens, kept until they and all that were made from them would have expired.
final class RevokedTokenRows {
    private RevokedTokenRows() {}

    /// @return false if the token was already revoked
    static boolean insert(Tx tx, String id, Instant expiresAt) {
        return tx.change("""
                                INSERT INTO revoked_token (id, expires_at) VALUES (:id, :expires) ON CONFLICT DO NOTHING
                                """, "id", id, "expires", expiresAt) == 1;
    }

    static List<String> list(Tx tx) {
        return tx.list("SELECT id FROM revoked_token WHERE expires_at > :now", String.class);
    }

    static boolean containsAny(Tx tx, List<String> ids) {
        return tx.number("SELECT count(*) FROM revoked_token WHERE id IN (<ids>)", "ids", ids) > 0;
    }

    static int purge(Tx tx) {
        return tx.change(
                "DELETE FROM revoked_token WHERE expires_at <= :before",
                "before",
                tx.now().minus(AccessTokens.LONGEST_CLAIM));
    }
}
