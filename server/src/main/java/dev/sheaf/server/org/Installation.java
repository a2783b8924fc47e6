package dev.sheaf.server.org;

import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import java.util.UUID;

/// The installation as a whole, which admins of its first organization look after. Thread-safe.
public final class Installation {
    private final Database database;

    public Installation(Database database) {
        this.database = database;
    }

    /// Refuses a caller who is none of its administrators.
    ///
    /// @throws dev.sheaf.model.ProblemException not-administrator, or scope-missing
    public void administrator(Caller.Known caller) {
        Access.administrator(caller, database.read(Installation::first));
    }

    /// The organization that the installation began with.
    public static UUID first(Tx tx) {
        return OrganizationRows.first(tx)
                .orElseThrow(() -> new IllegalStateException("an installation has a first organization"));
    }
}
