package dev.sheaf.server.auth;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Tx;
import java.util.UUID;

/// Finds the live sessions of a person. Their access tokens may still be in use.
public final class LiveSessionRows {
    private LiveSessionRows() {}

    /// Announces that the person's rights changed. Every node then reads the rights again before the person's
    /// next request.
    public static void changed(Tx tx, UUID account) {
        tx.list("""
                        SELECT id FROM session WHERE account_id = :account AND ended_at IS NULL AND ends_at > :now
                        """, UUID.class, "account", account)
                .forEach(id -> tx.changed(new DataChange(DataChange.Kind.SESSION, id.toString())));
    }
}
