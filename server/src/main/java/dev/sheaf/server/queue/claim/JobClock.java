package dev.sheaf.server.queue.claim;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.metrics.LabeledCounter;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.queue.JobSignal;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.queue.job.AttemptOutcome;
import dev.sheaf.server.queue.job.AttemptRows;
import dev.sheaf.server.queue.job.JobEnd;
import dev.sheaf.server.queue.job.JobRow;
import dev.sheaf.server.queue.job.JobRows;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Does timed work: queues scheduled jobs that are due, returns jobs of silent holders to their queues, and
/// makes the jobs of schedules. Every node runs it, and locks ensure that only one node does each piece of
/// work, so the death of a node causes no delay. It makes no queries while no job waits or runs. Thread-safe.
public final class JobClock {
    private static final Logger LOG = LoggerFactory.getLogger(JobClock.class);
    private static final int AT_ONCE = 100;
    private static final int TICKS = 50; // schedules between two checks for jobs
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50); // between two checks
    private static final Duration LONGEST = Duration.ofSeconds(20); // other nodes may have claimed jobs
    private static final Duration AFTER_ERROR = Duration.ofSeconds(1);

    private final Database database;
    private final Ticks ticks;
    private final LabeledCounter expired = new LabeledCounter();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition told = lock.newCondition();
    private @Nullable Instant look = Instant.EPOCH; // the next check; null to wait for a notice
    private volatile boolean stopped;
    private @Nullable Thread thread;

    /// Makes the jobs of schedules.
    public interface Ticks {
        /// The result for the schedules that are due.
        enum Ticked {
            ALL,
            /// It reached the limit of one call, so more may be due.
            MORE,
            /// Some schedules failed and are still due.
            FAILED
        }

        /// Makes the jobs of at most `most` schedules that are due.
        Ticked tick(int most);

        /// Returns when the next schedule is due; null if there is none.
        @Nullable
        Instant next(Tx tx);
    }

    public JobClock(Database database, Ticks ticks) {
        this.database = database;
        this.ticks = ticks;
    }

    /// Starts the work.
    public void begin() {
        database.onChange(change -> {
            if (change.kind() == DataChange.Kind.EVERYTHING) {
                expect(Instant.EPOCH);
            } else if (change.kind() == DataChange.Kind.QUEUE) {
                var bell = JobSignal.decode(change.id());
                expect(
                        bell == null || bell.isTimed()
                                ? Instant.EPOCH
                                : database.now().plus(LONGEST));
            }
        });
        thread = Thread.ofVirtual().name("job-clock").start(this::run);
    }

    /// Schedules a check at this time, because work may be due then.
    void expect(Instant at) {
        lock.lock();
        try {
            if (look == null || at.isBefore(look)) {
                look = at;
                told.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    public void stop() {
        lock.lock();
        try {
            stopped = true;
            told.signal();
        } finally {
            lock.unlock();
        }
    }

    /// Waits, after [#stop], until the last check has ended. Then the database may be closed.
    ///
    /// @return false if the check still runs after `limit`
    public boolean awaitEnd(Duration limit) {
        var its = thread;
        try {
            return its == null || its.join(limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void run() {
        while (await()) {
            try {
                var next = doDue();
                if (next != null) {
                    expect(next);
                }
                pause();
            } catch (RuntimeException | Error e) { // without this thread no lease would expire
                LOG.atLevel(stopped || ProblemException.isUnavailable(e) ? Level.DEBUG : Level.WARN)
                        .log("the check for due jobs failed; it will be tried again", e);
                expect(database.now().plus(AFTER_ERROR));
            }
        }
    }

    /// @return false if the clock was stopped
    private boolean await() {
        lock.lock();
        try {
            while (!stopped) {
                long left = look == null
                        ? Long.MAX_VALUE
                        : TimeUnit.NANOSECONDS.convert(Duration.between(database.now(), look));
                if (left <= 0) {
                    look = null;
                    return true;
                }
                told.awaitNanos(left);
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private static void pause() {
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /// Does all work that is due. Jobs are handled after every few schedules.
    ///
    /// @return when to check again; null to wait for a notice
    @Nullable
    Instant doDue() {
        var first = database.read(tx -> next(tx, ticks.next(tx)));
        if (first == null || first.isAfter(database.now())) {
            return first;
        }
        Ticks.Ticked ticked;
        do {
            while (database.write(this::queueDue) == AT_ONCE) {}
            while (giveBackSome() == AT_ONCE) {}
            ticked = ticks.tick(TICKS);
        } while (ticked == Ticks.Ticked.MORE && !stopped);
        boolean failed = ticked == Ticks.Ticked.FAILED;
        return database.read(tx -> next(tx, failed ? tx.now().plus(AFTER_ERROR) : ticks.next(tx)));
    }

    /// Returns when to check again; null to wait for a notice. While jobs exist, checks at least every
    /// [#LONGEST], because other nodes may have claimed jobs.
    private static @Nullable Instant next(Tx tx, @Nullable Instant tick) {
        var next = ClaimRows.nextDue(tx).orElse(null);
        if (next != null || ClaimRows.anyQueued(tx)) {
            var latest = tx.now().plus(LONGEST);
            next = next == null || latest.isBefore(next) ? latest : next;
        }
        return next == null || tick != null && tick.isBefore(next) ? tick : next;
    }

    private int queueDue(Tx tx) {
        var due = ClaimRows.due(tx, AT_ONCE);
        for (var job : due) {
            JobRows.wait(tx, job, JobState.QUEUED, null, job.attempt(), null, null);
            tx.changed(new JobSignal(job.organizationId(), job.habitatId(), job.queueId(), false).change());
        }
        return due.size();
    }

    /// Returns how many claims this node has ended because their deadline had passed.
    public LabeledCounter expired() {
        return expired;
    }

    private int giveBackSome() {
        var outcomes = database.write(tx -> ClaimRows.overdue(tx, AT_ONCE).stream()
                .map(job -> giveBack(tx, job))
                .toList());
        outcomes.forEach(outcome -> expired.of(outcome.toString()).increment());
        return outcomes.size();
    }

    /// Ends an attempt whose deadline has passed. Its holder may still report the end of the job until another
    /// worker claims it.
    private static AttemptOutcome giveBack(Tx tx, JobRow job) {
        var queue = QueueRows.find(tx, job.queueId()).orElseThrow();
        var started = job.hold().startedAt();
        boolean tooLong =
                started != null && !tx.now().isBefore(started.plus(Duration.ofSeconds(queue.timeoutSeconds())));
        var outcome = tooLong ? AttemptOutcome.TIMED_OUT : AttemptOutcome.LOST;
        var failure = new JobRow.Failure(
                tooLong ? "timeout" : "lease_lost",
                tooLong
                        ? "it ran for longer than " + queue.timeoutSeconds() + " s"
                        : "its worker sent no heartbeat before its lease ran out",
                null);
        AttemptRows.end(tx, job, outcome, failure);
        JobRows.failed(tx, job.id(), failure);
        WorkerRows.done(tx, job.organizationId(), job.hold().workerId(), false);
        String holder = job.hold().holder();
        if (job.hasMoreAttempts()) {
            JobEnd.freed(
                    tx, queue, JobRows.wait(tx, job, JobState.QUEUED, outcome.toString(), job.attempt(), holder, null));
        } else {
            JobEnd.end(tx, queue, job, JobState.DEAD, outcome.toString(), holder);
        }
        return outcome;
    }
}
