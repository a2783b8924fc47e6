package dev.sheaf.server.queue.claim;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.JsonText;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.queue.QueueSight;
import dev.sheaf.server.queue.job.AttemptOutcome;
import dev.sheaf.server.queue.job.AttemptRows;
import dev.sheaf.server.queue.job.JobEnd;
import dev.sheaf.server.queue.job.JobRow;
import dev.sheaf.server.queue.job.JobRows;
import dev.sheaf.server.queue.job.JobWire;
import dev.sheaf.server.queue.job.ProgressRows;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Handles the reports of a job's holder. A report may be sent twice: the second one changes nothing and gets
/// the same answer. Thread-safe.
public final class ClaimLeases {
    private final Database database;
    private final JobClock clock;

    public ClaimLeases(Database database, JobClock clock) {
        this.database = database;
        this.clock = clock;
    }

    /// A report about a job.
    ///
    /// @param attempt the number of the attempt; null for the attempt that the caller holds. If several
    /// programs share a credential, it distinguishes the previous holder from the current one
    public record Said(
            Caller.Known caller, UUID job, @Nullable Integer attempt) {}

    /// A job in the transaction that changes it.
    record Held(Tx tx, Said said, QueueRow queue, JobRow job, boolean hasProgress) {
        static Held lock(Tx tx, Said said) {
            var caller = said.caller();
            var its = JobRows.lockWithQueue(tx, caller.organizationId(), said.job())
                    .filter(locked -> QueueSight.sees(caller, locked.queue()))
                    .orElseThrow(() -> new Problem.NotFound("job " + said.job()).raise());
            return new Held(tx, said, its.queue(), its.job(), its.hasProgress());
        }

        Job show(JobRow row) {
            return hasProgress ? JobWire.show(tx, row) : JobWire.show(row);
        }

        private boolean isCallers() {
            String holder = job.hold().holder();
            return holder != null && isMeant(job.attempt()) && JobHolder.is(tx, holder, said.caller());
        }

        private boolean isMeant(int attempt) {
            return said.attempt() == null || said.attempt() == attempt;
        }

        boolean isHeld() {
            return job.status().isHeld() && isCallers();
        }

        /// Returns whether the job was taken away from the caller and has not been claimed since.
        boolean isLate() {
            return !job.status().isHeld() && isCallers();
        }

        /// Returns whether the last attempt was the caller's and ended with this outcome.
        boolean ended(AttemptOutcome outcome) {
            return !job.status().isHeld()
                    && AttemptRows.last(tx, job.id())
                            .filter(last -> last.outcome() == outcome
                                    && isMeant(last.number())
                                    && JobHolder.is(tx, last.holder(), said.caller()))
                            .isPresent();
        }

        /// Returns the job if the caller's attempt ended with this outcome, so that the report is a repetition.
        ///
        /// @throws ProblemException lease-lost
        JobRow known(AttemptOutcome outcome) {
            if (!ended(outcome)) {
                throw lost();
            }
            return job;
        }

        ProblemException lost() {
            return new Problem.LeaseLost(job.id().toString(), why()).raise();
        }

        private String why() {
            if (job.status() == JobState.CANCELLED) {
                return "it was cancelled";
            }
            String holder = job.hold().holder();
            var attempt = said.attempt();
            if (job.status().isHeld()) {
                return attempt != null && holder != null && JobHolder.is(tx, holder, said.caller())
                        ? "attempt " + attempt + (attempt < job.attempt() ? " is over" : " has not begun")
                                + "; attempt " + job.attempt() + " is held now"
                        : "another worker claimed it";
            }
            String what = ended(AttemptOutcome.CANCELLED)
                    ? "it was cancelled"
                    : ended(AttemptOutcome.RELEASED)
                            ? "it was released"
                            : ended(AttemptOutcome.COMPLETED) || ended(AttemptOutcome.FAILED)
                                    ? "its attempt has ended"
                                    : "its lease ran out, or it was never claimed";
            return what + "; it is " + job.status() + " now";
        }

        Duration lease() {
            Long asked = job.hold().leaseMs();
            return asked == null ? Duration.ofSeconds(queue.leaseSeconds()) : Duration.ofMillis(asked);
        }

        JobRow renew(JobState state, JobRow.Hold hold) {
            return JobRows.hold(
                    tx, job, state, hold.renewed(tx.now(), lease(), Duration.ofSeconds(queue.timeoutSeconds())));
        }
    }

    /// @throws ProblemException not-found; lease-lost if the caller does not hold the job
    public Job start(Said said) {
        return timed(said, held -> {
            if (!held.isHeld()) {
                throw held.lost();
            }
            return held.job().status() == JobState.CLAIMED
                    ? held.renew(
                            JobState.RUNNING,
                            held.job().hold().started(held.tx().now()))
                    : held.job();
        });
    }

    /// Renews the lease. The answer shows the holder if the job was cancelled.
    ///
    /// @throws ProblemException not-found; lease-lost if the caller does not hold the job
    public Job heartbeat(Said said) {
        return timed(said, held -> {
            if (held.isHeld()) {
                return held.renew(held.job().status(), held.job().hold());
            }
            if (held.job().status() != JobState.CANCELLED) { // a retried job counts as lost
                throw held.lost();
            }
            return held.known(AttemptOutcome.CANCELLED);
        });
    }

    private interface Verb {
        /// @return the job in its new state
        JobRow apply(Held held);
    }

    private Job timed(Said said, Verb verb) {
        record Renewed(Job job, @Nullable Instant deadline) {}
        var renewed = database.write(tx -> {
            var held = Held.lock(tx, said);
            var row = verb.apply(held);
            return new Renewed(held.show(row), row.hold().deadlineAt());
        });
        if (renewed.deadline() != null) {
            clock.expect(renewed.deadline());
        }
        return renewed.job();
    }

    private Job untimed(Said said, Verb verb) {
        return database.write(tx -> {
            var held = Held.lock(tx, said);
            return held.show(verb.apply(held));
        });
    }

    /// Completes the job. A late report of a holder counts until another worker claims the job.
    ///
    /// @param output the result; null if there is none
    /// @throws ProblemException not-found; lease-lost if the caller does not hold the job
    public Job complete(Said said, @Nullable JsonText output) {
        return untimed(said, held -> {
            var tx = held.tx();
            var job = held.job();
            if (held.isHeld() || held.isLate()) {
                AttemptRows.end(tx, job, AttemptOutcome.COMPLETED, JobRow.Failure.NONE);
                WorkerRows.done(tx, job.organizationId(), job.hold().workerId(), true);
                return JobEnd.completed(tx, held.queue(), job, output);
            }
            return held.known(AttemptOutcome.COMPLETED);
        });
    }

    /// Reports a failed attempt. The job is tried again if that is useful and attempts are left.
    ///
    /// @throws ProblemException not-found; lease-lost if the caller does not hold the job
    public Job fail(Said said, JobRow.Failure failure, boolean again) {
        return untimed(said, held -> {
            if (held.isHeld() || held.isLate()) {
                AttemptRows.end(held.tx(), held.job(), AttemptOutcome.FAILED, failure);
                JobRows.failed(held.tx(), held.job().id(), failure);
                WorkerRows.done(
                        held.tx(),
                        held.job().organizationId(),
                        held.job().hold().workerId(),
                        false);
                return failed(held.tx(), held.queue(), held.job(), again);
            }
            return held.known(AttemptOutcome.FAILED);
        });
    }

    /// Applies the consequences of a failed attempt.
    ///
    /// @return the job in its new state
    static JobRow failed(Tx tx, QueueRow queue, JobRow job, boolean again) {
        if (!again) {
            return JobEnd.end(tx, queue, job, JobState.FAILED, null, null);
        }
        if (!job.hasMoreAttempts()) {
            return JobEnd.end(tx, queue, job, JobState.DEAD, "attempts-used-up", null);
        }
        var due = tx.now().plus(RetryBackoff.after(queue, job));
        var waiting = JobRows.wait(tx, job, JobState.SCHEDULED, "retry", job.attempt(), null, due);
        JobEnd.freed(tx, queue, waiting);
        return waiting;
    }

    /// Releases the job without an attempt. The claim does not count as an attempt, and the caller does not get
    /// the job for a while.
    ///
    /// @throws ProblemException not-found; lease-lost if the caller does not hold the job
    public Job release(Said said) {
        return untimed(said, held -> {
            var tx = held.tx();
            var job = held.job();
            if (held.isHeld()) {
                AttemptRows.end(tx, job, AttemptOutcome.RELEASED, JobRow.Failure.NONE);
                HiddenRows.hide(tx, held.queue().id(), job.id(), JobHolder.of(said.caller()));
                var waiting = JobRows.wait(tx, job, JobState.QUEUED, "released", job.attempt() - 1, null, null);
                JobEnd.freed(tx, held.queue(), waiting);
                return waiting;
            }
            return held.known(AttemptOutcome.RELEASED);
        });
    }

    /// Reports the progress of the job.
    ///
    /// @param percent 0 to 100
    /// @throws ProblemException not-found; lease-lost if the caller does not hold the job
    public Job progress(Said said, @Nullable Integer percent, @Nullable String message) {
        return database.write(tx -> {
            var held = Held.lock(tx, said);
            if (!held.isHeld()) {
                throw held.lost();
            }
            ProgressRows.add(tx, held.job(), percent, message);
            return JobWire.show(tx, held.job());
        });
    }

    /// Renews the lease of the job that a worker reports. Does nothing if the worker does not hold the job.
    void renew(Tx tx, Caller.Known caller, UUID worker, UUID id) {
        JobRows.lockWithQueue(tx, caller.organizationId(), id)
                .map(its -> new Held(tx, new Said(caller, id, null), its.queue(), its.job(), its.hasProgress()))
                .filter(Held::isHeld)
                .filter(held -> Objects.requireNonNullElse(held.job().hold().workerId(), worker)
                        .equals(worker))
                .ifPresent(held ->
                        held.renew(held.job().status(), held.job().hold().by(worker)));
    }

    /// Takes back a claim whose answer did not arrive. The claim does not count as an attempt.
    ///
    /// @param claim the number of the claim of this job
    void takeBack(UUID organization, UUID id, int claim) {
        database.write(tx -> {
            JobRows.lock(tx, organization, id)
                    .filter(job -> job.status() == JobState.CLAIMED && job.claims() == claim)
                    .ifPresent(job -> {
                        var queue = QueueRows.find(tx, job.queueId()).orElseThrow();
                        JobEnd.freed(
                                tx, queue, JobRows.wait(tx, job, JobState.QUEUED, null, job.attempt() - 1, null, null));
                    });
            return id;
        });
    }
}
