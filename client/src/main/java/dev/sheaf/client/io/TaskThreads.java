package dev.sheaf.client.io;

import dev.sheaf.client.api.SheafException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;

/// Sleeps, and runs tasks on several threads. An interrupt ends both.
public final class TaskThreads {
    static final int WIDTH = 4;

    private TaskThreads() {}

    public static void sleep(Duration wait) {
        try {
            Thread.sleep(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SheafException.Cancelled();
        }
    }

    /// Runs tasks on virtual threads, four at a time; the first failure stops the rest. Returns when all tasks
    /// have finished, or throws the first failure once the other tasks have stopped.
    public static void run(List<? extends Runnable> tasks) {
        try (var workers = Executors.newFixedThreadPool(
                WIDTH, Thread.ofVirtual().name("sheaf-", 0).factory())) {
            var done = new ExecutorCompletionService<Boolean>(workers);
            var running = new ArrayList<>(tasks.size());
            for (Runnable task : tasks) {
                running.add(done.submit(task, true));
            }
            try {
                for (int i = 0; i < running.size(); i++) {
                    done.take().get();
                }
            } catch (ExecutionException e) {
                workers.shutdownNow();
                throw e.getCause() instanceof RuntimeException failure
                        ? failure
                        : new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                workers.shutdownNow();
                Thread.currentThread().interrupt();
                throw new SheafException.Cancelled();
            }
        }
    }
}
