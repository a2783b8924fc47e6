package dev.sheaf.engine.trace;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/// Runs exports, each on a thread of its own, which is interrupted after a time. Otherwise a collector that begins an
/// answer and never ends it would keep a thread and a place in the queue for each batch. Thread-safe.
final class ExportThreads extends AbstractExecutorService {
    private final Duration longest;
    private volatile boolean shut;

    /// @param longest how long an export may take
    ExportThreads(Duration longest) {
        this.longest = longest;
    }

    @Override
    public void execute(Runnable export) {
        Thread.ofVirtual().name("traces").start(() -> {
            var sender = Thread.ofVirtual().name("traces-sender").start(export);
            try {
                if (!sender.join(longest)) {
                    sender.interrupt();
                }
            } catch (InterruptedException e) {
                sender.interrupt();
            }
        });
    }

    @Override
    public void shutdown() {
        shut = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shut = true;
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return shut;
    }

    @Override
    public boolean isTerminated() {
        return shut;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return shut;
    }
}
