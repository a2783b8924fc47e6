package dev.sheaf.server.queue.claim;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.server.queue.job.AttemptOutcome;
import dev.sheaf.server.queue.job.AttemptRows;
import dev.sheaf.server.queue.job.JobRow;
import dev.sheaf.server.queue.job.JobRows;
import org.jspecify.annotations.Nullable;

/// Fails claimed jobs whose bundle cannot be read. Thread-safe.
///
/// @param database the database with the jobs
record GoneBundles(Database database) {
    /// @param pinned the version of an earlier attempt; null if there was none
    static String why(Reference reference, @Nullable Digest pinned) {
        return pinned == null
                ? "the bundle " + reference.repository() + " has no version " + reference.selector()
                        + ", or it is deleted, or private to another organization"
                : "the version " + reference.repository() + "@" + pinned + " of an earlier attempt no longer exists, or"
                        + " its bundle is private to another organization";
    }

    void fail(ClaimTransaction.Claimed claimed, String why) {
        var job = claimed.job();
        var failure = new JobRow.Failure("bundle_gone", why, null);
        database.write(tx -> {
            JobRows.lock(tx, job.organizationId(), job.id())
                    .filter(row -> row.status().isHeld() && row.claims() == job.claims())
                    .ifPresent(row -> {
                        AttemptRows.end(tx, row, AttemptOutcome.FAILED, failure);
                        JobRows.failed(tx, row.id(), failure);
                        ClaimLeases.failed(tx, claimed.queue(), row, false);
                    });
            return job;
        });
    }
}
