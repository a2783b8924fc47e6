package dev.sheaf.server.queue.job;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.JobEvent;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.queue.Bell;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.queue.QueueSight;
import dev.sheaf.server.queue.Queues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// What organizations see of their jobs, and do with them. Thread-safe.
public final class Jobs {
    private static final int AT_ONCE = 500;

    /// How many bytes of contents one answer has, unless its first job alone has more.
    public static final long MOST_BYTES = 4 << 20;

    private final Database database;
    private final Queues queues;

    public Jobs(Database database, Queues queues) {
        this.database = database;
        this.queues = queues;
    }

    /// Jobs of a list.
    ///
    /// @param last the key after which the next ones begin; null: there are no more
    public record Part(List<Job> jobs, @Nullable String last) {}

    /// So many jobs, or fewer where their contents are long: at least one, if there is one.
    ///
    /// @param memory is told how many bytes are read, before they are; it may refuse
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

    /// The queues that the caller sees; null: all there are.
    public @Nullable List<UUID> seen(Caller.Known caller) {
        return QueueSight.seesAll(caller)
                ? null
                : queues.list(caller, null, null, null, null, Integer.MAX_VALUE).stream()
                        .map(Queue::id)
                        .toList();
    }

    /// @param attempts whether with its tries
    /// @param memory is told how many bytes the tries have, before they are read; it may refuse
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

    /// Whether the caller sees the queue of a job.
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

    /// Ends a job; its holder hears of it with the next heartbeat. Nothing happens where it is cancelled already.
    ///
    /// @throws dev.sheaf.model.ProblemException not-found; conflict where it has ended otherwise
    public Job cancel(Origin origin, UUID id) {
        return database.write(tx -> {
            var its = lock(tx, origin.caller(), id);
            var job = its.job();
            if (job.status() == JobState.CANCELLED) {
                return JobWire.show(tx, job);
            }
            if (job.status().isFinished()) {
                throw new Problem.Conflict("the job is " + job.status() + " already; there is nothing to cancel")
                        .raise();
            }
            if (job.status().isHeld()) {
                AttemptRows.end(tx, job, Outcome.CANCELLED, JobRow.Failure.NONE);
            }
            JobEnd.end(tx, its.queue(), job, JobState.CANCELLED, null, null);
            AuditRows.record(tx, origin, "job.cancel", id.toString());
            return JobWire.show(tx, find(tx, origin.caller(), id));
        });
    }

    /// Begins a job anew that failed, is dead or was cancelled. Its tries are numbered on.
    ///
    /// @throws dev.sheaf.model.ProblemException not-found; conflict in other states, and where another job with its
    /// dedupe key is there
    public Job retry(Origin origin, UUID id) {
        return database.write(tx -> {
            var its = lock(tx, origin.caller(), id);
            var job = its.job();
            if (!job.status().isFinished() || job.status() == JobState.COMPLETED) {
                throw new Problem.Conflict("the job is " + job.status()
                                + "; only one that failed, is dead or was cancelled is retried")
                        .raise();
            }
            if (!retry(tx, its.queue(), job)) {
                throw new Problem.Conflict("another job with the dedupe key of this one waits or runs").raise();
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
        tx.changed(Bell.of(queue).change());
        return true;
    }

    /// Begins all of some states anew, in steps: where this ends early, some are begun and the rest are as they
    /// were.
    ///
    /// @param jobType null: any
    /// @param before made before that; null: whenever
    /// @return how many
    public long retryAll(
            Origin origin, QueueRow queue, List<JobState> states, @Nullable String jobType, @Nullable Instant before) {
        return inSteps(origin, queue, states, jobType, before, "job.retry", (tx, row) -> retry(tx, queue, row));
    }

    /// Deletes all of some states that have ended, in steps.
    ///
    /// @param jobType null: any
    /// @param before made before that; null: whenever
    /// @return how many
    public long purge(
            Origin origin, QueueRow queue, List<JobState> states, @Nullable String jobType, @Nullable Instant before) {
        return inSteps(origin, queue, states, jobType, before, "job.purge", (tx, row) -> {
            JobRows.delete(tx, row);
            return true;
        });
    }

    /// @param last the id after which to go on; empty: there is no more
    private record Done(String last, long count) {}

    private interface Step {
        boolean take(Tx tx, JobRow row);
    }

    private long inSteps(
            Origin origin,
            QueueRow queue,
            List<JobState> states,
            @Nullable String jobType,
            @Nullable Instant before,
            String word,
            Step step) {
        // nothing that comes after the begin, so that this ends
        var until = before == null || before.isAfter(database.now())
                ? database.now().plusMillis(1)
                : before;
        long all = 0;
        for (var state : states) {
            var done = new Done("", 0);
            do {
                String after = done.last();
                done = database.write(tx -> {
                    var rows = JobRows.ofState(tx, queue.id(), state, jobType, until, after, AT_ONCE);
                    long taken = rows.stream().filter(row -> step.take(tx, row)).count();
                    return new Done(
                            rows.size() < AT_ONCE ? "" : rows.getLast().id().toString(), taken);
                });
                all += done.count();
            } while (!done.last().isEmpty());
        }
        long count = all;
        return database.write(tx -> {
            AuditRows.record(tx, origin, word, queue.slug(), count + (count == 1 ? " job" : " jobs"));
            return count;
        });
    }

    /// What happened to a job, in its order.
    ///
    /// @param memory is told how many bytes its tries have, before they are read; it may refuse
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
            ProgressRows.list(tx, id)
                    .forEach(row -> events.add(
                            new JobEvent(row.at(), "progress", row.attempt(), row.percent(), row.message())));
            boolean told = job.status() != JobState.CANCELLED
                    || events.stream().anyMatch(event -> event.type().equals("cancelled"));
            if (!told && job.completedAt() != null) {
                events.add(new JobEvent(job.completedAt(), "cancelled", null, null, null));
            }
            events.sort(Comparator.comparing(JobEvent::at));
            return events;
        });
    }

    private static void begun(List<JobEvent> events, int number, Instant claimed, @Nullable Instant started) {
        events.add(new JobEvent(claimed, "claimed", number, null, null));
        if (started != null) {
            events.add(new JobEvent(started, "started", number, null, null));
        }
    }
}
