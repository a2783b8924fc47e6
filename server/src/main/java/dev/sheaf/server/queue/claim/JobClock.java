package dev.sheaf.server.queue.claim;

import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.queue.Bell;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.queue.job.AttemptRows;
import dev.sheaf.server.queue.job.JobEnd;
import dev.sheaf.server.queue.job.JobRow;
import dev.sheaf.server.queue.job.JobRows;
import dev.sheaf.server.queue.job.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Does what is due by the clock: queues jobs that were scheduled, gives back those whose holder is silent, and makes
/// the jobs of schedules. Every node does it, each piece in a transaction that only one of them gets; so nothing waits
/// for a node that has died. While no job waits or runs it asks nothing. Thread-safe.
public final class JobClock {
    private static final Logger LOG = LoggerFactory.getLogger(JobClock.class);
    private static final int AT_ONCE = 100;
    private static final int TICKS = 50; // before jobs have their turn again
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50); // between two looks
    private static final Duration LONGEST = Duration.ofSeconds(20); // while something may have been claimed elsewhere
    private static final Duration AFTER_ERROR = Duration.ofSeconds(1);

    private final Database database;
    private final Ticks ticks;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition told = lock.newCondition();
    private @Nullable Instant look = Instant.EPOCH; // null: when told
    private volatile boolean stopped;
    private @Nullable Thread thread;

    /// Makes the jobs of schedules.
    public interface Ticks {
        /// What was made of the schedules that are due.
        enum Ticked {
            ALL,
            /// As many as there may be at once: more may be due.
            MORE,
            /// Some could not be looked at, and are due still.
            FAILED
        }

        /// Makes those of at most so many whose time has come.
        Ticked tick(int most);

        /// When the next one's time comes; null: never.
        @Nullable
        Instant next(Tx tx);
    }

    public JobClock(Database database, Ticks ticks) {
        this.database = database;
        this.ticks = ticks;
    }

    /// From now on.
    public void begin() {
        database.onChange(change -> {
            if (change.kind() == Change.Kind.EVERYTHING) {
                expect(Instant.EPOCH);
            } else if (change.kind() == Change.Kind.QUEUE) {
                var bell = Bell.decode(change.id());
                expect(
                        bell == null || bell.isTimed()
                                ? Instant.EPOCH
                                : database.now().plus(LONGEST));
            }
        });
        thread = Thread.ofVirtual().name("job-clock").start(this::run);
    }

    /// Says that something may be due at that time.
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

    /// Waits until the last look is over, once it was stopped: the database may be closed then.
    ///
    /// @return false where it still looks after that time
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
            } catch (RuntimeException e) {
                LOG.atLevel(stopped ? Level.DEBUG : Level.WARN)
                        .log("jobs that are due could not be looked at; this is tried again", e);
                expect(database.now().plus(AFTER_ERROR));
            }
        }
    }

    /// @return false where it is over
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

    /// Does all that is due. However many schedules there are, jobs have a turn after each few of them.
    ///
    /// @return when to look again; null: when told
    @Nullable
    Instant doDue() {
        var first = database.read(tx -> next(tx, ticks.next(tx)));
        if (first == null || first.isAfter(database.now())) {
            return first;
        }
        Ticks.Ticked ticked;
        do {
            while (database.write(this::queueDue) == AT_ONCE) {}
            while (database.write(this::giveBack) == AT_ONCE) {}
            ticked = ticks.tick(TICKS);
        } while (ticked == Ticks.Ticked.MORE && !stopped);
        boolean failed = ticked == Ticks.Ticked.FAILED;
        return database.read(tx -> next(tx, failed ? tx.now().plus(AFTER_ERROR) : ticks.next(tx)));
    }

    /// When to look again; null: when told. What was claimed elsewhere is looked for now and then.
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
            tx.changed(new Bell(job.organizationId(), job.habitatId(), job.queueId(), false).change());
        }
        return due.size();
    }

    private int giveBack(Tx tx) {
        List<JobRow> overdue = ClaimRows.overdue(tx, AT_ONCE);
        for (var job : overdue) {
            giveBack(tx, job);
        }
        return overdue.size();
    }

    /// Its holder may still report its end, until somebody else claims it.
    private static void giveBack(Tx tx, JobRow job) {
        var queue = QueueRows.find(tx, job.queueId()).orElseThrow();
        var started = job.hold().startedAt();
        boolean tooLong =
                started != null && !tx.now().isBefore(started.plus(Duration.ofSeconds(queue.timeoutSeconds())));
        var outcome = tooLong ? Outcome.TIMED_OUT : Outcome.LOST;
        var failure = new JobRow.Failure(
                tooLong ? "timeout" : "lease_lost",
                tooLong
                        ? "it ran for longer than " + queue.timeoutSeconds() + " s"
                        : "its worker was not heard of before its lease ran out",
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
    }
}
