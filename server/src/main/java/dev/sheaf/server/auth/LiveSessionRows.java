package dev.sheaf.server.auth;

import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Tx;
import java.util.UUID;

/// The sessions of a person for which access tokens may be about.
public final class LiveSessionRows {
    private LiveSessionRows() {}

    /// Says that the person's rights changed: every node looks at them again before it lets another request of
    /// theirs pass.
    public static void changed(Tx tx, UUID account) {
        tx.list("""
                        SELECT id FROM session WHERE account_id = :account AND ended_at IS NULL AND ends_at > :now
                        """, UUID.class, "account", account)
                .forEach(id -> tx.changed(new Change(Change.Kind.SESSION, id.toString())));
    }
}
