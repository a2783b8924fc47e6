package dev.sheaf.engine.cpu;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Platform threads, as many as processors, that hash and write the large pieces of transfers. The operating system
/// shares the processors between them and the threads of all other requests, so small requests do not wait for
/// uploads. Thread-safe.
public final class BulkPool {
    private static final ExecutorService THREADS = Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().daemon().name("bulk-", 0).factory());

    private BulkPool() {}

    /// Runs brief work and waits for its end, even if interrupted, because the work uses buffers of its caller.
    public static void run(Runnable work) {
        if (!Thread.currentThread().isVirtual()) {
            work.run();
            return;
        }
        try {
            CompletableFuture.runAsync(work, THREADS).join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw e;
            }
        }
    }
}
