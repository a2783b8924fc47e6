package dev.sheaf.server.queue.claim;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.queue.Habitats;
import dev.sheaf.server.queue.InstructionRow;
import dev.sheaf.server.queue.InstructionRows;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.queue.QueueSight;
import dev.sheaf.server.queue.QueueStatus;
import dev.sheaf.server.queue.job.JobRow;
import dev.sheaf.server.queue.job.JobRows;
import dev.sheaf.server.queue.job.Jobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// A transaction that hands out jobs.
final class ClaimTransaction {
    /// The limit of jobs that one transaction skips because their concurrency key is in use.
    private static final int PASSED = 100;

    private final Tx tx;
    private final Caller.Known caller;
    private final String holder;
    private final ClaimRequest request;
    private final List<QueueRow> unseen = new ArrayList<>();

    ClaimTransaction(Tx tx, Caller.Known caller, ClaimRequest request) {
        this.tx = tx;
        this.caller = caller;
        this.holder = JobHolder.of(caller);
        this.request = request;
    }

    /// A job that was handed out.
    ///
    /// @param job the job in its new state
    /// @param instruction the active instruction of its queue; null if there is none
    /// @param waited how long the job was queued
    record Claimed(QueueRow queue, JobRow job, @Nullable InstructionRow instruction, Duration waited) {}

    /// The result of one transaction.
    ///
    /// @param unseen queues in which the limit of skipped jobs was reached, so that later jobs were not read
    record Taken(List<Claimed> jobs, List<QueueRow> unseen) {}

    /// @param served returns when a queue had its last turn; the queue that has waited longest comes first
    /// @throws dev.sheaf.model.ProblemException not-found if the queue or habitat does not exist, or the caller
    /// did not register the worker
    Taken take(int max, ToLongFunction<UUID> served) {
        var worker = request.workerId();
        if (worker != null) {
            WorkerPrograms.refuseForeign(tx, caller, worker);
        }
        var taken = new ArrayList<Claimed>();
        long length = 0;
        for (var source : sources(served)) {
            while (taken.size() < max && length < Jobs.MOST_BYTES) {
                var claimed = take(source);
                if (claimed.isEmpty()) {
                    break;
                }
                taken.add(claimed.get());
                length += claimed.get().job().content().length();
            }
        }
        return new Taken(taken, unseen);
    }

    private List<ClaimRows.Source> sources(ToLongFunction<UUID> served) {
        var id = request.queueId();
        if (id != null) {
            var source = ClaimRows.source(tx, caller.organizationId(), id)
                    .filter(its -> QueueSight.sees(caller, its.queue()))
                    .orElseThrow(() -> QueueSight.missing(id.toString()));
            return source.queue().status() == QueueStatus.ACTIVE ? List.of(source) : List.of();
        }
        var habitat = request.habitatId();
        if (habitat != null) {
            Habitats.refuseMissing(tx, caller.organizationId(), habitat);
        }
        return ClaimRows.ready(tx, caller.organizationId(), habitat).stream()
                .filter(source -> QueueSight.sees(caller, source.queue()))
                .sorted(Comparator.comparingLong(
                        source -> served.applyAsLong(source.queue().id())))
                .toList();
    }

    private Optional<Claimed> take(ClaimRows.Source source) {
        var queue = source.queue();
        var most = queue.maxRunning();
        if (most != null && (!QueueRows.lock(tx, queue.id()) || ClaimRows.held(tx, queue.id()) >= most)) {
            return Optional.empty();
        }
        for (int i = 0; i < PASSED; i++) {
            var next = ClaimRows.next(tx, queue.id(), holder);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            var job = next.get();
            if (mayRun(queue, job)) {
                return Optional.of(claimed(source, job));
            }
            ClaimRows.block(tx, job.id());
        }
        unseen.add(queue);
        return Optional.empty();
    }

    /// Returns whether no other job with its key is claimed.
    private boolean mayRun(QueueRow queue, JobRow job) {
        String key = job.concurrencyKey();
        return key == null || QueueRows.lock(tx, queue.id()) && !ClaimRows.isHeld(tx, queue.id(), key);
    }

    private Claimed claimed(ClaimRows.Source source, JobRow job) {
        var queue = source.queue();
        var lease = request.lease() == null ? Duration.ofSeconds(queue.leaseSeconds()) : request.lease();
        var now = tx.now();
        var hold = new JobRow.Hold(request.workerId(), holder, null, now, null, null, null)
                .renewed(now, lease, Duration.ofSeconds(queue.timeoutSeconds()));
        var instruction = source.instruction() == null
                ? null
                : InstructionRows.find(tx, queue.id(), source.instruction()).orElse(null);
        var queued = Objects.requireNonNullElse(job.updatedAt(), job.createdAt());
        return new Claimed(queue, JobRows.claim(tx, job, hold), instruction, Duration.between(queued, now));
    }
}
