package dev.sheaf.server.org;

import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.db.Database;
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
        UUID first = database.read(OrganizationRows::first)
                .orElseThrow(() -> new IllegalStateException("an installation has a first organization"));
        Access.administrator(caller, first);
    }
}
