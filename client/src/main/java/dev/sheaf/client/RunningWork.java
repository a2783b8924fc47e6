package dev.sheaf.client;

import dev.sheaf.client.api.SheafException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/// Work that runs on its own virtual thread. Thread-safe.
///
/// @param <T> the type of the result
public final class RunningWork<T> {
    private final FutureTask<T> task;
    private final Thread thread;

    private RunningWork(FutureTask<T> task) {
        this.task = task;
        this.thread = Thread.ofVirtual().name("sheaf-running").start(task);
    }

    static <T> RunningWork<T> start(Supplier<T> work) {
        return new RunningWork<>(new FutureTask<>(work::get));
    }

    /// Waits for the end of the work and returns its result. If the waiting thread is interrupted, the work is
    /// cancelled.
    ///
    /// @throws SheafException thrown by the work; [SheafException.Cancelled] if it was cancelled
    public T await() {
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            cancel();
            Thread.currentThread().interrupt();
            throw new SheafException.Cancelled();
        }
    }

    /// Waits for the end of the work, for a limited time. The work continues after it. If the waiting thread is
    /// interrupted, the work is cancelled.
    ///
    /// @return the result; empty if the work has not ended in this time
    /// @throws SheafException as those of [#await()]
    public Optional<T> await(Duration longest) {
        try {
            if (!thread.join(longest)) {
                return Optional.empty();
            }
        } catch (InterruptedException e) {
            cancel();
            Thread.currentThread().interrupt();
            throw new SheafException.Cancelled();
        }
        return Optional.of(await());
    }

    /// Cancels the work, and returns once it has ended. A cancelled pull leaves its target unchanged or
    /// complete. Does nothing if the work has already ended.
    public void cancel() {
        thread.interrupt();
        boolean interrupted = Thread.interrupted();
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns whether the work has ended, with a result, a failure or a cancellation.
    public boolean isDone() {
        return task.isDone();
    }
}
