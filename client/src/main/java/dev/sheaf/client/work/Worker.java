package dev.sheaf.client.work;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.TaskThreads;
import dev.sheaf.client.pull.BundlePull;
import dev.sheaf.client.work.WorkerPlan.Rules;
import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Runner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Works on the jobs of a queue until it is stopped. It waits for jobs, passes each job to its handler, renews
/// the lease while the handler works, and reports the outcome. If the registry cannot be reached, it retries
/// with growing waits. Created by [dev.sheaf.client.SheafClient#worker]; the client must stay open as long as
/// the worker. Thread-safe.
///
/// ```java
/// try (var worker = registry.worker("reviews")
///         .concurrency(4)
///         .handler(job -> Outcome.completed(review(job)))
///         .start()) {
///     worker.await();
/// }
/// ```
public final class Worker implements AutoCloseable {
    /// The wait for a job. It is a bit shorter than the longest wait of a registry and of many proxies.
    private static final Duration WAIT = Duration.ofSeconds(50);
    private static final Duration HASTE = Duration.ofSeconds(1);

    private final WorkerPlan plan;
    private final RunnerCalls calls;
    private final BundlePull puller;
    private final Semaphore slots;
    private final Map<UUID, HeldJob> held = new ConcurrentHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicLong completed = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Thread thread;
    private long taken;
    private volatile boolean draining;
    private volatile boolean stopping;
    private volatile @Nullable RuntimeException failure;

    Worker(WorkerPlan plan, RegistryTransport transport, BundlePull puller) {
        this.plan = new WorkerPlan(
                plan.queue(), plan.concurrency(), plan.most(), plan.waits(), plan.identity(), counting(plan.rules()));
        this.calls = new RunnerCalls(transport);
        this.puller = puller;
        this.slots = new Semaphore(plan.concurrency());
        this.thread = Thread.ofVirtual().name("sheaf-worker").unstarted(this::run);
    }

    Worker start() {
        thread.start();
        return this;
    }

    /// Returns the number of completed jobs.
    public long completed() {
        return completed.get();
    }

    /// Returns the number of failed jobs.
    public long failed() {
        return failed.get();
    }

    /// Returns the number of jobs that it holds now.
    public int running() {
        return held.size();
    }

    /// Stops claiming jobs, and ends when the running jobs are finished. Returns immediately.
    public void drain() {
        draining = true;
        thread.interrupt();
    }

    /// Stops claiming jobs, interrupts the running jobs, releases them to the queue, and ends. Returns
    /// immediately.
    public void stop() {
        stopping = true;
        drain();
        held.values().forEach(job -> job.stop(HeldJob.Stop.QUIT));
    }

    /// Waits until the worker has ended.
    ///
    /// @throws SheafException if it ended because of a failure: the queue no longer exists, or the credential
    /// is not sufficient
    /// @throws InterruptedException if the waiting thread is interrupted; the worker continues
    public void await() throws InterruptedException {
        ended.await();
        throwFailure();
    }

    /// Waits for a limited time until the worker has ended.
    ///
    /// @return whether it has ended
    public boolean await(Duration longest) throws InterruptedException {
        boolean over = ended.await(longest.toMillis(), TimeUnit.MILLISECONDS);
        if (over) {
            throwFailure();
        }
        return over;
    }

    private void throwFailure() {
        var why = failure;
        if (why != null) {
            throw why;
        }
    }

    /// Stops claiming jobs, and waits until the running jobs are finished. If the waiting thread is
    /// interrupted, the jobs are released.
    @Override
    public void close() {
        drain();
        boolean interrupted = false;
        while (true) {
            try {
                ended.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                stop();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        WorkerRegistration registration = null;
        try {
            var queue = persistently(() -> calls.queue(plan.queue()));
            registration = persistently(() -> register(queue));
            registration.start();
            listener().registered(registration.id());
            poll(queue, registration);
        } catch (SheafException.Cancelled e) {
            // drained
        } catch (RuntimeException e) {
            failure = e;
        }
        finish(registration);
    }

    private WorkerRegistration register(Runner.QueueEntry queue) {
        var habitat = queue.habitatId();
        if (habitat == null) {
            throw new SheafException.Server("the registry does not report the habitat of the queue " + queue.slug()
                    + ", which a worker needs to register");
        }
        return new WorkerRegistration(
                calls,
                habitat,
                plan.identity(),
                () -> held.keySet().stream().findFirst().orElse(null));
    }

    /// Waits until all jobs are finished, then ends the registration and the worker.
    private void finish(@Nullable WorkerRegistration registration) {
        slots.acquireUninterruptibly(plan.concurrency());
        Thread.interrupted(); // set if drain was called again
        if (registration != null) {
            registration.end(failure == null ? "ended" : "failed", completed.get(), failed.get());
        }
        ended.countDown();
    }

    /// Retries until the registry answers.
    private <T> T persistently(Supplier<T> call) {
        var backoff = new ClaimBackoff();
        while (true) {
            try {
                return call.get();
            } catch (SheafException e) {
                waitAfter(e, backoff);
            }
        }
    }

    /// Waits before another attempt. Throws the failure if another attempt would not help.
    private void waitAfter(SheafException e, ClaimBackoff backoff) {
        if (draining || !ClaimBackoff.isTemporary(e)) {
            throw draining ? new SheafException.Cancelled() : e;
        }
        var wait = backoff.after(e);
        listener().trouble(e, wait);
        TaskThreads.sleep(wait);
    }

    private void poll(Runner.QueueEntry queue, WorkerRegistration registration) {
        var backoff = new ClaimBackoff();
        while (!draining && taken < plan.most()) {
            int free = slots((int) Math.min(RunnerCalls.MOST, plan.most() - taken));
            List<Claim> claims = List.of();
            try {
                long begin = System.nanoTime();
                var wait = plan.waits() ? WAIT : Duration.ZERO;
                claims = calls.claim(queue.id(), registration.id(), plan.rules().lease(), free, wait)
                        .toldTo(listener(), queue);
                if (claims.isEmpty() && !plan.waits()) {
                    if (taken == 0 && failed.get() == 0) {
                        listener().nothingToDo(queue);
                    }
                    return;
                }
                // an immediate empty answer means that the registry did not wait
                if (claims.isEmpty() && System.nanoTime() - begin < HASTE.toNanos()) {
                    TaskThreads.sleep(backoff.next());
                } else {
                    backoff.succeeded();
                }
            } catch (SheafException e) {
                waitAfter(e, backoff);
            } finally {
                slots.release(Math.max(0, free - claims.size()));
            }
            take(claims, free);
        }
    }

    /// Waits for a free slot, and takes all free slots up to `most`.
    ///
    /// @return the number of taken slots
    private int slots(int most) {
        try {
            slots.acquire();
        } catch (InterruptedException e) {
            throw new SheafException.Cancelled();
        }
        int free = 1;
        while (free < most && slots.tryAcquire()) {
            free++;
        }
        return free;
    }

    /// Takes jobs. A job that arrives after the worker was stopped, or that exceeds the free slots, is released.
    private void take(List<Claim> claims, int free) {
        for (int i = 0; i < claims.size(); i++) {
            var claim = claims.get(i);
            boolean room = i < free;
            if (draining || !room) {
                release(claim, room);
                continue;
            }
            taken++;
            listener().claimed(claim.job());
            var job = new HeldJob(claim, calls, new ClaimedJob(claim, calls, puller), plan.rules(), this::over);
            job.start(held.put(claim.job().id(), job));
            if (stopping) {
                job.stop(HeldJob.Stop.QUIT);
            }
        }
    }

    private void over(HeldJob job) {
        held.remove(job.job().id(), job);
        slots.release();
    }

    private void release(Claim claim, boolean room) {
        boolean interrupted = Thread.interrupted();
        try {
            calls.release(claim.job());
        } catch (SheafException e) {
            listener().unreported(claim.job(), e);
        } finally {
            if (room) {
                slots.release();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private WorkerListener listener() {
        return plan.rules().listener();
    }

    private Rules counting(Rules rules) {
        return new Rules(rules.handler(), new OutcomeCounter(rules.listener(), completed, failed), rules.lease());
    }
}
