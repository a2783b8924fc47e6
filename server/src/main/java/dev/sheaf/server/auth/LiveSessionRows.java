package dev.sheaf.server.auth;

import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Tx;
import java.util.UUID;

/// The live sessions of a person, for which access tokens may have been issued.
public final class LiveSessionRows {
    private LiveSessionRows() {}

    /// Announces that the person's rights changed, so that every node reads them again before the person's next
    /// request.
    public static void changed(Tx tx, UUID account) {
        tx.list("""
                        SELECT id FROM session WHERE account_id = :account AND ended_at IS NULL AND ends_at > :now
                        """, UUID.class, "account", account)
                .forEach(id -> tx.changed(new Change(Change.Kind.SESSION, id.toString())));
    }
}
