package dev.sheaf.server.auth;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.util.UUID;

/// Finds the live sessions of a person. Their access tokens may still be in use.
public final class LiveSessionRows {
    private LiveSessionRows() {}

    /// Returns whether a session began at or after a time.
    public static boolean isSignedInSince(Tx tx, UUID session, Instant time) {
        return tx.has(
                "SELECT 1 FROM session WHERE id = :session AND created_at >= :time", "session", session, "time", time);
    }

    /// Announces that the person's rights changed. Every node then reads the rights again before the person's
    /// next request.
    public static void changed(Tx tx, UUID account) {
        tx.list("""
                        SELECT id FROM session WHERE account_id = :account AND ended_at IS NULL AND ends_at > :now
                        """, UUID.class, "account", account)
                .forEach(id -> tx.changed(new DataChange(DataChange.Kind.SESSION, id.toString())));
    }
}
