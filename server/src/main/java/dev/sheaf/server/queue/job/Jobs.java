package dev.sheaf.server.queue.job;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.JobEvent;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.queue.JobSignal;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.queue.QueueSight;
import dev.sheaf.server.queue.Queues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Views and changes of an organization's jobs. Thread-safe.
public final class Jobs {
    private static final int AT_ONCE = 500;
    private static final int MOST_SKIPPED = 100; // that an answer names

    /// The limit of jobs that one request retries or cancels.
    public static final int MOST_CHANGED = 10_000;

    /// The limit of content in one answer in bytes. The first job is included even if it is larger.
    public static final long MOST_BYTES = 4 << 20;

    private final Database database;
    private final Queues queues;

    public Jobs(Database database, Queues queues) {
        this.database = database;
        this.queues = queues;
    }

    /// A page of jobs.
    ///
    /// @param last the key after which the next page begins; null if there is none
    public record Part(List<Job> jobs, @Nullable String last) {}

    /// Lists up to `limit` jobs, or fewer if their content is long, but at least one if there is one.
    ///
    /// @param memory receives the number of bytes before they are read, and may refuse
    public Part list(Caller.Known caller, JobList wanted, @Nullable String after, int limit, LongConsumer memory) {
        return database.read(tx -> {
            var places = wanted.places(tx, caller.organizationId(), after, limit + 1);
            long bytes = 0;
            int count = 0;
            while (count < Math.min(limit, places.size())) {
                bytes += places.get(count).bytes();
                if (count > 0 && bytes > MOST_BYTES) {
                    bytes -= places.get(count).bytes();
                    break;
                }
                count++;
            }
            memory.accept(bytes);
            var taken = places.subList(0, count).stream().map(JobList.Place::id).toList();
            var rows = JobRows.byId(tx, taken);
            var shown = JobWire.show(
                    tx, taken.stream().map(rows::get).filter(Objects::nonNull).toList());
            return new Part(shown, count < places.size() ? wanted.key(places.get(count - 1)) : null);
        });
    }

    /// Returns the queues that the caller sees; null for all.
    public @Nullable List<UUID> seen(Caller.Known caller) {
        return QueueSight.seesAll(caller)
                ? null
                : queues.list(caller, null, null, null, null, Integer.MAX_VALUE).stream()
                        .map(Queue::id)
                        .toList();
    }

    /// @param attempts whether to include its attempts
    /// @param memory receives the number of bytes of the attempts before they are read, and may refuse
    /// @throws dev.sheaf.model.ProblemException not-found
    public Job get(Caller.Known caller, UUID id, boolean attempts, LongConsumer memory) {
        return database.read(tx -> {
            var row = find(tx, caller, id);
            memory.accept(attempts ? AttemptRows.bytes(tx, id) : 0);
            var progress = ProgressRows.last(tx, List.of(id)).get(id);
            return JobWire.show(
                    row,
                    progress,
                    attempts
                            ? AttemptRows.list(tx, id).stream()
                                    .map(AttemptRows.AttemptRow::toWire)
                                    .toList()
                            : null);
        });
    }

    private static JobRow find(Tx tx, Caller.Known caller, UUID id) {
        return JobRows.find(tx, caller.organizationId(), id)
                .filter(row -> sees(tx, caller, row))
                .orElseThrow(() -> missing(id));
    }

    private static RuntimeException missing(UUID id) {
        return new Problem.NotFound("job " + id).raise();
    }

    /// Returns whether the caller sees the queue of a job.
    public static boolean sees(Tx tx, Caller.Known caller, JobRow row) {
        return QueueSight.seesAll(caller)
                || QueueRows.find(tx, row.queueId())
                        .filter(queue -> QueueSight.sees(caller, queue))
                        .isPresent();
    }

    private static JobRows.Locked lock(Tx tx, Caller.Known caller, UUID id) {
        return JobRows.lockWithQueue(tx, caller.organizationId(), id)
                .filter(its -> QueueSight.sees(caller, its.queue()))
                .orElseThrow(() -> missing(id));
    }

    /// Cancels a job. Its holder is notified at the next heartbeat. Does nothing if the job is already
    /// cancelled.
    ///
    /// @throws dev.sheaf.model.ProblemException not-found; conflict if it has ended in another way
    public Job cancel(ChangeOrigin origin, UUID id) {
        return database.write(tx -> {
            var its = lock(tx, origin.caller(), id);
            var job = its.job();
            if (job.status() == JobState.CANCELLED) {
                return JobWire.show(tx, job);
            }
            if (job.status().isFinished()) {
                throw new Problem.Conflict("the job " + id + " is already " + job.status()
                                + "; there is nothing to cancel. It can be deleted, or retried unless it is completed")
                        .raise();
            }
            cancel(tx, its.queue(), job);
            AuditRows.record(tx, origin, "job.cancel", id.toString());
            return JobWire.show(tx, find(tx, origin.caller(), id));
        });
    }

    private static void cancel(Tx tx, QueueRow queue, JobRow job) {
        if (job.status().isHeld()) {
            AttemptRows.end(tx, job, AttemptOutcome.CANCELLED, JobRow.Failure.NONE);
        }
        JobEnd.end(tx, queue, job, JobState.CANCELLED, null, null);
    }

    /// Starts a job again that failed, is dead or was cancelled. The numbers of its attempts continue.
    ///
    /// @throws dev.sheaf.model.ProblemException not-found; conflict in other states, or if another job has its
    /// dedupe key
    public Job retry(ChangeOrigin origin, UUID id) {
        return database.write(tx -> {
            var its = lock(tx, origin.caller(), id);
            var job = its.job();
            if (!job.status().isFinished() || job.status() == JobState.COMPLETED) {
                throw new Problem.Conflict("the job " + id + " is " + job.status()
                                + "; only a job that failed, is dead or was cancelled can be retried")
                        .raise();
            }
            if (!retry(tx, its.queue(), job)) {
                throw new Problem.Conflict("another job with the dedupe key of the job " + id
                                + " waits or runs; retry this one after it has ended")
                        .raise();
            }
            AuditRows.record(tx, origin, "job.retry", id.toString());
            return JobWire.show(tx, find(tx, origin.caller(), id));
        });
    }

    private static boolean retry(Tx tx, QueueRow queue, JobRow job) {
        String key = job.dedupeKey();
        if (key != null && JobRows.live(tx, queue.id(), key).isPresent()) {
            return false;
        }
        JobRows.retry(tx, job, job.attempt() + queue.maxAttempts());
        var retried = new JobEvent(tx.now(), "retried", null, null, null);
        ProgressRows.note(
                tx, job, Stream.concat(end(job).stream(), Stream.of(retried)).toList());
        tx.changed(JobSignal.of(queue).change());
        return true;
    }

    /// Retries all selected jobs, up to [#MOST_CHANGED], in steps. If this ends early, some jobs are retried and
    /// the rest is unchanged.
    public Job.Changed retryAll(ChangeOrigin origin, QueueRow queue, JobSelection which) {
        return inSteps(
                origin,
                queue,
                which,
                new Bulk("job.retry", MOST_CHANGED, JobSelection.RETRIED, "retried"),
                (tx, row) -> retry(tx, queue, row) ? null : "another job with its dedupe key waits or runs");
    }

    /// Cancels all selected jobs, up to [#MOST_CHANGED], in steps. Their holders are notified at their next
    /// heartbeats. If this ends early, some jobs are cancelled and the rest is unchanged.
    public Job.Changed cancelAll(ChangeOrigin origin, QueueRow queue, JobSelection which) {
        return inSteps(
                origin,
                queue,
                which,
                new Bulk("job.cancel", MOST_CHANGED, JobSelection.CANCELLED, "cancelled"),
                (tx, row) -> {
                    cancel(tx, queue, row);
                    return null;
                });
    }

    /// Deletes all jobs in some final states, in steps.
    ///
    /// @return the number of jobs
    public long purge(ChangeOrigin origin, QueueRow queue, JobSelection which) {
        var purged =
                inSteps(origin, queue, which, new Bulk("job.purge", Long.MAX_VALUE, List.of(), "purged"), (tx, row) -> {
                    JobRows.delete(tx, row);
                    return null;
                });
        return purged.count();
    }

    /// Counts selected jobs, up to one more than [#MOST_CHANGED].
    public long count(QueueRow queue, JobSelection which) {
        return database.read(tx -> JobRows.count(tx, queue.id(), which, until(which), MOST_CHANGED + 1));
    }

    /// A change of many jobs.
    ///
    /// @param word its word in the audit log
    /// @param most the limit of jobs
    /// @param allowed the states of jobs that can be changed so
    /// @param done what is done to them, in a word
    private record Bulk(String word, long most, List<JobState> allowed, String done) {
        /// Returns why a job in this state stays as it is.
        String reason(JobState state) {
            return allowed.contains(state)
                    ? "it was being changed by somebody else, or the other filters leave it out"
                    : "it is " + state + "; only jobs that are "
                            + allowed.stream().map(JobState::toString).collect(Collectors.joining(", ")) + " can be "
                            + done;
        }
    }

    /// @param last the id after which to continue; empty if there are no more
    private record Done(String last, List<UUID> changed, List<Job.Skipped> skipped) {}

    private interface Step {
        /// Returns why the job stays as it is; null if it is changed.
        @Nullable
        String take(Tx tx, JobRow row);
    }

    /// Jobs that are created after the start are not selected, so that the steps end.
    private Instant until(JobSelection which) {
        var before = which.before();
        return before == null || before.isAfter(database.now()) ? database.now().plusMillis(1) : before;
    }

    private Job.Changed inSteps(ChangeOrigin origin, QueueRow queue, JobSelection which, Bulk bulk, Step step) {
        var until = until(which);
        long all = 0;
        var skipped = new ArrayList<Job.Skipped>();
        var named = new HashSet<UUID>();
        for (var state : which.states()) {
            var done = new Done("", List.of(), List.of());
            do {
                String after = done.last();
                int limit = (int) Math.min(AT_ONCE, bulk.most() - all);
                done = limit == 0
                        ? new Done("", List.of(), List.of())
                        : database.write(tx -> step(
                                tx, JobRows.ofState(tx, queue.id(), state, which, until, after, limit), limit, step));
                all += done.changed().size();
                skipped.addAll(done.skipped());
                named.addAll(done.changed());
            } while (!done.last().isEmpty());
        }
        skipped.forEach(job -> named.add(job.id()));
        long count = all;
        return database.write(tx -> {
            AuditRows.record(tx, origin, bulk.word(), queue.slug(), count + (count == 1 ? " job" : " jobs"));
            var left = Stream.concat(skipped.stream(), others(tx, queue, which, named, bulk).stream())
                    .limit(MOST_SKIPPED)
                    .toList();
            boolean hasMore = count == bulk.most()
                    && JobRows.count(tx, queue.id(), which, until, skipped.size() + 1L) > skipped.size();
            return new Job.Changed(count, left, hasMore);
        });
    }

    private static Done step(Tx tx, List<JobRow> rows, int limit, Step step) {
        var changed = new ArrayList<UUID>();
        var skipped = new ArrayList<Job.Skipped>();
        for (var row : rows) {
            String reason = step.take(tx, row);
            if (reason == null) {
                changed.add(row.id());
            } else {
                skipped.add(new Job.Skipped(row.id(), reason));
            }
        }
        return new Done(rows.size() < limit ? "" : rows.getLast().id().toString(), changed, skipped);
    }

    /// Returns the jobs that were named by their ids and are not among the changed.
    private static List<Job.Skipped> others(Tx tx, QueueRow queue, JobSelection which, Set<UUID> known, Bulk bulk) {
        if (which.ids() == null) {
            return List.of();
        }
        var left = which.ids().stream().filter(id -> !known.contains(id)).toList();
        if (left.isEmpty()) {
            return List.of();
        }
        var rows = JobRows.byId(tx, left);
        return left.stream()
                .map(id -> {
                    var row = rows.get(id);
                    return new Job.Skipped(
                            id,
                            row == null || !row.queueId().equals(queue.id())
                                    ? "there is no such job in this queue"
                                    : bulk.reason(row.status()));
                })
                .toList();
    }

    /// Returns the history of a job, in order.
    ///
    /// @param memory receives the number of bytes of its attempts before they are read, and may refuse
    /// @throws dev.sheaf.model.ProblemException not-found
    public List<JobEvent> events(Caller.Known caller, UUID id, LongConsumer memory) {
        return database.read(tx -> {
            var job = find(tx, caller, id);
            memory.accept(AttemptRows.bytes(tx, id));
            var events = new ArrayList<JobEvent>();
            events.add(new JobEvent(job.createdAt(), "enqueued", null, null, null));
            for (var attempt : AttemptRows.list(tx, id)) {
                begun(events, attempt.number(), attempt.claimedAt(), attempt.startedAt());
                events.add(new JobEvent(
                        attempt.endedAt(),
                        attempt.outcome().toString(),
                        attempt.number(),
                        null,
                        attempt.errorMessage() == null ? attempt.errorCode() : attempt.errorMessage()));
            }
            var claimed = job.hold().claimedAt();
            if (job.status().isHeld() && claimed != null) {
                begun(events, job.attempt(), claimed, job.hold().startedAt());
            }
            Stream.concat(ProgressRows.list(tx, id).stream().map(ProgressRows.ProgressRow::toEvent), end(job).stream())
                    .filter(event -> !isKnown(event, events))
                    .forEach(events::add);
            events.sort(Comparator.comparing(JobEvent::at));
            return events;
        });
    }

    /// Returns how a job ended if that is not the outcome of its last attempt, or not only that.
    private static Optional<JobEvent> end(JobRow job) {
        var at = job.completedAt();
        if (at == null) {
            return Optional.empty();
        }
        return switch (job.status()) {
            case CANCELLED -> Optional.of(new JobEvent(at, "cancelled", null, null, null));
            case DEAD -> Optional.of(new JobEvent(at, "dead", job.attempt(), null, cause(job)));
            default -> Optional.empty();
        };
    }

    private static String cause(JobRow job) {
        return AttemptOutcome.LOST.toString().equals(job.statusReason())
                ? "its lease ran out in the last attempt"
                : AttemptOutcome.TIMED_OUT.toString().equals(job.statusReason())
                        ? "it ran for too long in the last attempt"
                        : "no attempts are left";
    }

    /// Returns whether an event is a cancellation that is also the outcome of an attempt.
    private static boolean isKnown(JobEvent event, List<JobEvent> events) {
        return event.type().equals("cancelled")
                && events.stream()
                        .anyMatch(known ->
                                known.type().equals("cancelled") && known.at().equals(event.at()));
    }

    private static void begun(List<JobEvent> events, int number, Instant claimed, @Nullable Instant started) {
        events.add(new JobEvent(claimed, "claimed", number, null, null));
        if (started != null) {
            events.add(new JobEvent(started, "started", number, null, null));
        }
    }
}
