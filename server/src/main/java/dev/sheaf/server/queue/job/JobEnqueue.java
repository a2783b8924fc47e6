package dev.sheaf.server.queue.job;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.queue.JobSignal;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.NamedBundle;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.queue.QueueSight;
import dev.sheaf.server.queue.QueueStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Puts jobs into queues. Thread-safe.
public final class JobEnqueue {
    /// The limit of an organization's waiting jobs.
    public static final long MOST_WAITING = 1_000_000;

    private final Database database;
    private final NamedBundle bundles;

    public JobEnqueue(Database database, NamedBundle bundles) {
        this.database = database;
        this.bundles = bundles;
    }

    /// A job that was enqueued.
    ///
    /// @param isNew false if an unfinished job with the same dedupe key exists already
    public record Enqueued(Job job, boolean isNew) {}

    /// Enqueues all jobs or none.
    ///
    /// @param place the queue, by its id or slug
    /// @param jobs 1 to [NewJob#AT_ONCE]
    /// @param isBatch whether the request contains a list, so that errors point into it
    /// @throws dev.sheaf.model.ProblemException not-found if the queue does not exist; conflict if it is
    /// archived; quota-exceeded if too many wait; validation-failed if a bundle may not be read
    public List<Enqueued> enqueue(ChangeOrigin origin, String place, List<NewJob> jobs, boolean isBatch) {
        var caller = origin.caller();
        if (jobs.stream().anyMatch(job -> job.bundle() != null)) {
            database.read(tx -> QueueSight.find(tx, caller, place)); // a missing queue is refused first
        }
        for (int i = 0; i < jobs.size(); i++) {
            String pointer = isBatch ? "/jobs/" + i + "/bundle" : "/bundle";
            bundles.check(caller, pointer, jobs.get(i).bundle());
        }
        return database.write(tx -> {
            var kept = QueueSight.keep(tx, caller, place);
            var enqueued = enqueue(tx, kept, origin.actor(), jobs);
            long made = enqueued.stream().filter(Enqueued::isNew).count();
            if (made > 0) {
                AuditRows.record(tx, origin, "job.enqueue", kept.queue().slug(), made + (made == 1 ? " job" : " jobs"));
            }
            return enqueued;
        });
    }

    /// Enqueues jobs in a transaction of the caller.
    ///
    /// @param author the author in the form of actors
    public static List<Enqueued> enqueue(Tx tx, QueueRow queue, String author, List<NewJob> jobs) {
        var kept = QueueRows.keep(tx, queue.organizationId(), queue.id())
                .orElseThrow(() -> new Problem.NotFound("queue " + queue.slug()).raise());
        return enqueue(tx, kept, author, jobs);
    }

    private static List<Enqueued> enqueue(Tx tx, QueueRows.Kept kept, String author, List<NewJob> jobs) {
        var queue = kept.queue();
        if (queue.status() == QueueStatus.ARCHIVED) {
            throw new Problem.Conflict(
                            "the queue " + queue.slug() + " is archived and accepts no jobs; resume it first")
                    .raise();
        }
        refuseTooMany(kept, jobs.size());
        var enqueued = new ArrayList<Enqueued>();
        for (var job : jobs) {
            enqueued.add(enqueue(tx, queue, author, job));
        }
        if (enqueued.stream().anyMatch(Enqueued::isNew)) {
            var bell = JobSignal.of(queue);
            boolean isTimed = jobs.stream().anyMatch(job -> job.due(tx.now()).isAfter(tx.now()));
            tx.changed((isTimed ? bell.timed() : bell).change());
        }
        return enqueued;
    }

    private static void refuseTooMany(QueueRows.Kept waiting, int more) {
        var queue = waiting.queue();
        if (waiting.ofQueue() + more > queue.maxDepth()) {
            throw new Problem.TooManyJobs("the queue " + queue.slug(), queue.maxDepth(), waiting.ofQueue()).raise();
        }
        if (waiting.ofOrganization() + more > MOST_WAITING) {
            throw new Problem.TooManyJobs("the organization", MOST_WAITING, waiting.ofOrganization()).raise();
        }
    }

    private static Enqueued enqueue(Tx tx, QueueRow queue, String author, NewJob job) {
        var row = row(tx, queue, author, job);
        for (int i = 0; i < 3; i++) { // the other job with this dedupe key may end in between
            if (JobRows.insert(tx, row)) {
                return new Enqueued(JobWire.show(row), true);
            }
            var live = JobRows.live(tx, queue.id(), Objects.requireNonNull(job.dedupeKey()));
            if (live.isPresent()) {
                return new Enqueued(JobWire.show(tx, live.get()), false);
            }
        }
        throw new Problem.Unavailable(
                        "jobs with this dedupe key are being added and ended at the same time; try again", 1)
                .raise();
    }

    private static JobRow row(Tx tx, QueueRow queue, String author, NewJob job) {
        var due = job.due(tx.now());
        boolean isLater = due.isAfter(tx.now());
        int attempts = Objects.requireNonNullElse(job.maxAttempts(), queue.maxAttempts());
        return new JobRow(
                TimeOrderedIds.next(tx.now()),
                queue.organizationId(),
                queue.id(),
                queue.habitatId(),
                job.jobType(),
                isLater ? JobState.SCHEDULED : JobState.QUEUED,
                null,
                job.priority(),
                job.priority().place(due),
                isLater ? due : null,
                false,
                job.content(),
                job.routeId(),
                job.bundle(),
                null,
                job.dedupeKey(),
                job.concurrencyKey(),
                isLater ? due : null,
                0,
                0,
                attempts,
                JobRow.Hold.NONE,
                null,
                JobRow.Failure.NONE,
                tx.now(),
                author,
                null);
    }
}
