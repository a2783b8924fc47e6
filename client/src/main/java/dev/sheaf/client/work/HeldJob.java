package dev.sheaf.client.work;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.TaskThreads;
import dev.sheaf.client.work.WorkerPlan.Rules;
import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Job;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A job from its claim to its end: one thread does the work, another sends heartbeats and watches the timeout.
/// Guarded by this object's lock.
final class HeldJob {
    /// The reason why the work has to stop.
    enum Stop {
        CANCELLED("cancelled"),
        LOST("given to another worker"),
        TIME_OUT("has reached its timeout"),
        QUIT("the worker is stopping");

        private final String words;

        Stop(String words) {
            this.words = words;
        }
    }

    /// The time limit for retries while the registry is down and does not accept the outcome.
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final Duration USUAL_LEASE = Duration.ofSeconds(45);

    private final Claim claim;
    private final RunnerCalls calls;
    private final ClaimedJob own;
    private final Rules rules;
    private final Duration interval;
    private final Thread worker;
    private final Thread beats;

    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable HeldJob before;
    private @Nullable Stop stop;
    private boolean handling;
    private boolean quits;
    /// The start by this process's clock, before the registry records it, so that the timeout ends here first.
    private volatile long begun;
    private volatile long heard = System.nanoTime();

    HeldJob(Claim claim, RunnerCalls calls, ClaimedJob own, Rules rules, Consumer<HeldJob> afterwards) {
        this.claim = claim;
        this.calls = calls;
        this.own = own;
        this.rules = rules;
        this.interval = interval(claim.job(), rules.lease());
        this.worker = Thread.ofVirtual().name("sheaf-job").unstarted(() -> {
            try {
                run();
            } finally {
                over.countDown();
                afterwards.accept(this);
            }
        });
        this.beats = Thread.ofVirtual().name("sheaf-beats").unstarted(this::beat);
    }

    /// @param last this worker's work on an earlier attempt, whose lease it lost without noticing; it is
    /// stopped, and has to end before the job is started again. Null if there is no such attempt
    void start(@Nullable HeldJob last) {
        before = last;
        if (last != null) {
            last.stop(Stop.LOST);
        }
        beats.start();
        worker.start();
    }

    Job job() {
        return claim.job();
    }

    /// Returns the interval of heartbeats: a third of the lease, at most half a minute.
    private static Duration interval(Job job, @Nullable Duration asked) {
        var lease = asked;
        if (lease == null && job.claimedAt() != null && job.heartbeatDeadlineAt() != null) {
            lease = Duration.between(job.claimedAt(), job.heartbeatDeadlineAt());
        }
        var third = (lease == null || !lease.isPositive() ? USUAL_LEASE : lease).dividedBy(3);
        return third.compareTo(WorkerPlan.LONGEST_BEAT) < 0 ? third : WorkerPlan.LONGEST_BEAT;
    }

    /// Ends running work by interrupting its thread.
    synchronized void stop(Stop why) {
        quits |= why == Stop.QUIT;
        if (stop == null && handling) {
            stop = why;
            worker.interrupt();
        }
    }

    private void run() {
        try {
            if (before != null) {
                before.over.await();
                before = null;
            }
            begun = System.nanoTime();
            calls.start(job());
            heard = System.nanoTime();
            report(outcome());
        } catch (SheafException.Cancelled | InterruptedException e) {
            rules.listener().stopped(job(), "the worker is stopping");
        } catch (SheafException e) {
            rules.listener().unreported(job(), e);
        } finally {
            beats.interrupt();
        }
    }

    /// Runs the handler and returns its outcome; null if it must not be reported.
    private @Nullable Outcome outcome() {
        var why = claim.executionFailure();
        if (why != null && why.code() != null && !why.code().isBlank()) {
            return Outcome.failedForGood(why.code(), why.message());
        }
        if (claim.executionError() != null) {
            return Outcome.failedForGood("prompt_error", claim.executionError());
        }
        synchronized (this) {
            if (quits) {
                return Outcome.released();
            }
            handling = true;
        }
        var limit = Thread.ofVirtual().name("sheaf-limit").start(this::watch);
        Outcome outcome = null;
        Throwable failure = null;
        try {
            outcome = rules.handler().handle(own);
        } catch (Exception | StackOverflowError | AssertionError e) {
            failure = e;
        }
        limit.interrupt();
        Stop stopped;
        synchronized (this) {
            handling = false;
            stopped = stop;
            Thread.interrupted(); // clears the interrupt of stop, whose reason is reported
        }
        return stopped == null ? outcomeOf(outcome, failure) : stopped(stopped, outcome, failure);
    }

    private static Outcome outcomeOf(@Nullable Outcome outcome, @Nullable Throwable failure) {
        return outcome != null ? outcome : Outcome.failed("exception", String.valueOf(failure));
    }

    private @Nullable Outcome stopped(Stop why, @Nullable Outcome outcome, @Nullable Throwable failure) {
        if (why == Stop.CANCELLED || why == Stop.LOST) {
            rules.listener().stopped(job(), why.words);
            return null;
        }
        if (outcome != null) {
            return outcome;
        }
        return why == Stop.QUIT ? Outcome.released() : Outcome.failed("timeout", limit().exceeded(failure));
    }

    private void report(@Nullable Outcome outcome) {
        if (outcome == null) {
            return;
        }
        if (isLost()) {
            rules.listener().stopped(job(), Stop.LOST.words);
            return;
        }
        try {
            rules.listener().reported(untilAnswered(() -> send(outcome)), outcome);
        } catch (SheafException.InvalidRequest e) {
            var instead = new Outcome.Failed(
                    "output_refused", "the registry refused the output of the job: " + e.getMessage(), null, false);
            rules.listener().reported(untilAnswered(() -> send(instead)), instead);
        }
    }

    private Job send(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> calls.complete(job(), completed);
            case Outcome.Failed failed -> calls.fail(job(), failed);
            case Outcome.Released released -> calls.release(job());
        };
    }

    /// Reports to the registry, and retries while it is down.
    ///
    /// @return the job as it is then
    private Job untilAnswered(Supplier<Job> verb) {
        var backoff = new ClaimBackoff();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return verb.get();
            } catch (SheafException e) {
                boolean late = System.nanoTime() - end >= 0 || hasQuit();
                if (late || !ClaimBackoff.isTemporary(e)) {
                    throw e;
                }
                TaskThreads.sleep(backoff.after(e));
            }
        }
    }

    private synchronized boolean hasQuit() {
        return quits;
    }

    /// Renews the lease until the work is over.
    private void beat() {
        try {
            var wait = jittered(interval);
            while (true) {
                Thread.sleep(wait);
                wait = once() ? jittered(interval) : jittered(interval.dividedBy(3));
            }
        } catch (InterruptedException | SheafException.Cancelled e) {
            // the work is over
        }
    }

    /// Varies the wait, so that jobs that were claimed together send heartbeats at different times.
    private static Duration jittered(Duration wait) {
        long millis = Math.max(10, wait.toMillis());
        return Duration.ofMillis(millis - ThreadLocalRandom.current().nextLong(millis / 10 + 1));
    }

    /// Stops the work at its timeout.
    private void watch() {
        try {
            Thread.sleep(limit().time().minusNanos(System.nanoTime() - begun));
            stop(Stop.TIME_OUT);
        } catch (InterruptedException e) {
            // the work is over
        }
    }

    private TimeLimit limit() {
        return TimeLimit.of(claim.execution());
    }

    /// @return whether the registry answered
    private boolean once() {
        try {
            var job = calls.heartbeat(job().id());
            heard = System.nanoTime();
            if ("cancelled".equals(job.status())) {
                stop(Stop.CANCELLED);
            } else if (isInLaterAttempt(job)) {
                stop(Stop.LOST);
            }
            return true;
        } catch (SheafException.Cancelled e) {
            throw e;
        } catch (SheafException.Conflict | SheafException.NotFound e) {
            stop(Stop.LOST);
            return true;
        } catch (SheafException e) {
            return false;
        }
    }

    /// Returns whether the job is in a later attempt. A registry cannot distinguish workers with the same key,
    /// so a report by this worker would end the work of the other one.
    private boolean isInLaterAttempt(Job now) {
        return now.attemptNumber() > job().attemptNumber();
    }

    /// Returns whether the job went to another worker while this worker sent no heartbeats, because its process
    /// was suspended or the connection was down.
    private boolean isLost() {
        if (System.nanoTime() - heard < interval.multipliedBy(2).toNanos()) {
            return false;
        }
        try {
            return isInLaterAttempt(calls.heartbeat(job().id()));
        } catch (SheafException.Conflict | SheafException.NotFound e) {
            return true;
        } catch (SheafException.Network | SheafException.Server | SheafException.RateLimited e) {
            return false; // the outcome is reported once the registry is back
        }
    }
}
