package dev.sheaf.server.queue;

import dev.sheaf.engine.db.Database;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import java.util.List;

/// The queues of an organization whose jobs have used up their attempts, so that a person must decide.
/// Thread-safe.
public final class DeadJobs {
    private final Database database;

    public DeadJobs(Database database) {
        this.database = database;
    }

    /// Returns the queues of the caller's organization with the most dead jobs.
    ///
    /// @throws dev.sheaf.model.ProblemException forbidden for a credential that is restricted to a part of it
    public List<JobCounts.Depth> of(Caller.Known caller, int limit) {
        Access.whole(caller);
        return database.read(tx -> JobCounts.dead(tx, caller.organizationId(), limit));
    }
}
