package dev.sheaf.client;

import dev.sheaf.client.api.SheafException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/// Work that goes on on a virtual thread of its own. Thread-safe.
///
/// @param <T> what it ends with
public final class Running<T> {
    private final FutureTask<T> task;
    private final Thread thread;

    private Running(FutureTask<T> task) {
        this.task = task;
        this.thread = Thread.ofVirtual().name("sheaf-running").start(task);
    }

    static <T> Running<T> start(Supplier<T> work) {
        return new Running<>(new FutureTask<>(work::get));
    }

    /// What the work ended with; waits for its end. Where the waiting thread is interrupted, the work is cancelled.
    ///
    /// @throws SheafException what the work threw; [SheafException.Cancelled] where it was cancelled
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

    /// Ends the work, and returns when it has ended: a pull leaves its target as it was, or whole. Nothing happens
    /// where it has ended before.
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

    /// Whether the work has ended, in whatever way.
    public boolean isDone() {
        return task.isDone();
    }
}
