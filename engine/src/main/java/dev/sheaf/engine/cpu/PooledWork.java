package dev.sheaf.engine.cpu;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// A task that is queued or running, and the callers that wait for it. It is cancelled when the last of them
/// leaves. Thread-safe.
final class PooledWork<T> {
    private static final long RETRY_SECONDS = 5;

    private final CpuPool pool;
    private final Object caller;
    private final Budget budget;
    private final long patience;
    private final CpuPool.Work<T> work;
    private final CompletableFuture<T> done = new CompletableFuture<>();
    private final boolean large;
    private final boolean strange = CpuAccount.isStranger();
    private final long since = System.nanoTime();
    private boolean begun;
    private int waiters = 1;
    private @Nullable Thread worker;

    /// @param patience how long the work of a request may wait, in nanoseconds; zero for no limit
    /// @param isLarge whether the work needs much memory
    PooledWork(CpuPool pool, Object caller, Budget budget, long patience, boolean isLarge, CpuPool.Work<T> work) {
        this.patience = patience;
        this.large = isLarge;
        this.pool = pool;
        this.caller = caller;
        this.budget = budget;
        this.work = work;
    }

    Object caller() {
        return caller;
    }

    /// Returns whether it needs much memory.
    boolean isLarge() {
        return large;
    }

    /// Returns whether a stranger has submitted it.
    boolean isStrange() {
        return strange;
    }

    /// Runs the task on a thread of the pool.
    void work() {
        synchronized (this) {
            if (budget.isCancelled()) {
                return;
            }
            worker = Thread.currentThread();
            begun = true;
        }
        try {
            done.complete(onAccount());
        } catch (OverBudgetException e) {
            done.completeExceptionally(tooMuch());
        } catch (Throwable e) { // the waiting callers get every failure
            done.completeExceptionally(e);
        } finally {
            synchronized (this) {
                worker = null;
                Thread.interrupted(); // the interrupt was meant for this task, not for the next
            }
        }
    }

    /// Runs the work on the account of the caller who submitted it, so that a search takes a connection to the
    /// database from the share of that caller.
    private T onAccount() {
        if (caller == CpuPool.class) {
            return work.run(budget);
        }
        if (patience > 0 && System.nanoTime() - since > patience) { // the caller is probably gone
            throw busy(RETRY_SECONDS);
        }
        return CpuPool.onAccountOf(() -> caller, () -> work.run(budget));
    }

    static ProblemException busy(long retrySeconds) {
        return new Problem.Unavailable(Throttle.WORK, "all processors of this node are busy; try again", retrySeconds)
                .raise();
    }

    static ProblemException tooMuch() {
        return new Problem.Unavailable(
                        Throttle.WORK,
                        "the request needs more processor time than allowed; ask for less at a time",
                        RETRY_SECONDS)
                .raise();
    }

    /// Adds a waiting caller. Returns false if the task was already cancelled, or if a stranger's turn must come first
    /// and the caller is none.
    synchronized boolean join() {
        if (budget.isCancelled() || strange && !begun && !CpuAccount.isStranger()) {
            return false;
        }
        waiters++;
        return true;
    }

    /// Waits for the result.
    ///
    /// @throws ProblemException service-unavailable if the waiting thread is interrupted or the work exceeds its
    /// limit
    T await() {
        try {
            return done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            leave();
            Thread.currentThread().interrupt();
            throw new Problem.Unavailable(Throttle.TIME, "the request took too long; try again", RETRY_SECONDS).raise();
        }
    }

    private void leave() {
        synchronized (this) {
            waiters--;
            if (waiters > 0) {
                return;
            }
            budget.cancel();
            if (worker != null) {
                worker.interrupt(); // it may be waiting for the database
                return;
            }
        }
        pool.withdraw(this);
        abandon();
    }

    /// Fails the task for the callers who still wait.
    void abandon() {
        done.completeExceptionally(
                new Problem.Unavailable("this node is shutting down; try again, another one may answer", 1).raise());
    }

    /// Runs `then` when the task has ended, with or without a result.
    void atItsEnd(Runnable then) {
        done.whenComplete((result, failure) -> then.run());
    }
}
