package dev.sheaf.client.io;

import dev.sheaf.client.api.SheafException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;

/// Waiting, and work on several threads. An interruption ends both.
public final class Threads {
    static final int WIDTH = 4;

    private Threads() {}

    public static void sleep(Duration wait) {
        try {
            Thread.sleep(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SheafException.Cancelled();
        }
    }

    /// Runs tasks four at a time on virtual threads; the first failure stops the rest. Returns when all tasks are done,
    /// or throws what the first to fail threw, once the others have stopped.
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
