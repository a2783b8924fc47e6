package dev.sheaf.server.queue.job;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.queue.JobCounts;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.queue.QueueSight;
import dev.sheaf.server.queue.QueueStatus;
import dev.sheaf.server.queue.Queues;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// Deletes queues, and jobs that ended long ago. Thread-safe.
public final class QueueDeletion {
    private static final int AT_ONCE = 200;

    private final Database database;
    private final Queues queues;

    public QueueDeletion(Database database, Queues queues) {
        this.database = database;
        this.queues = queues;
    }

    /// Deletes a queue. If it has jobs, this takes several steps, and from the first step on the queue neither
    /// accepts jobs nor hands them out. If this ends early, the queue stays archived and can be deleted again.
    ///
    /// @param force whether to delete its jobs too, which requires the scope admin
    /// @param check inspects the current queue, and may refuse
    /// @throws dev.sheaf.model.ProblemException not-found; conflict if it has jobs
    public void delete(ChangeOrigin origin, String place, boolean force, Consumer<Queue> check) {
        var caller = origin.caller();
        check.accept(queues.get(caller, place));
        if (force) {
            Access.scope(caller, Scope.ADMIN);
        }
        var queue = queues.find(caller, place);
        if (deleteEmpty(origin, queue)) {
            return;
        }
        if (!force) {
            throw new Problem.Conflict("the queue " + queue.slug()
                            + " has jobs; purge them first, or force the deletion, which requires the scope admin")
                    .raise();
        }
        queues.turn(origin, place, QueueStatus.ARCHIVED);
        do {
            while (database.write(tx -> deleteSome(tx, JobRows.any(tx, queue.id(), AT_ONCE))) == AT_ONCE) {
                Thread.yield(); // in small steps, so that other transactions do not wait long
            }
        } while (!deleteEmpty(origin, queue));
    }

    /// @return false if it has jobs
    private boolean deleteEmpty(ChangeOrigin origin, QueueRow queue) {
        return database.write(tx -> {
            if (!QueueRows.lockToDelete(tx, queue.id())) {
                throw new Problem.NotFound("queue " + queue.slug()).raise();
            }
            var still = QueueSight.find(tx, origin.caller(), queue.id().toString());
            if (!JobRows.any(tx, queue.id(), 1).isEmpty()) {
                return false;
            }
            QueueRows.delete(tx, queue.id());
            JobCounts.forget(tx, queue.id());
            AuditRows.record(tx, origin, "queue.delete", still.slug());
            return true;
        });
    }

    private static int deleteSome(Tx tx, List<JobRow> rows) {
        rows.forEach(row -> JobRows.delete(tx, row));
        return rows.size();
    }

    /// Deletes jobs whose retention in their queue has ended.
    public void sweep() {
        for (var queue : database.read(QueueRows::all)) {
            var kept = Duration.ofDays(queue.retentionDays());
            int gone = AT_ONCE;
            while (gone == AT_ONCE) {
                gone = database.write(tx -> deleteSome(
                        tx, JobRows.endedBefore(tx, queue.id(), tx.now().minus(kept), AT_ONCE)));
            }
        }
    }
}
