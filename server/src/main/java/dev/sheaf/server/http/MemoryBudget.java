package dev.sheaf.server.http;

import dev.sheaf.model.Problem;
import java.util.concurrent.atomic.AtomicLong;

/// Bounds the bytes of request bodies that are held in memory at one time, over all requests: beyond it a request
/// is told to come back, instead of the process running out of memory. Thread-safe.
public final class MemoryBudget {
    private final long total;
    private final AtomicLong free;

    public MemoryBudget(long bytes) {
        this.total = bytes;
        this.free = new AtomicLong(bytes);
    }

    /// @throws dev.sheaf.model.ProblemException rate-limited where the bytes are not free now; payload-too-large
    /// where they never will be
    void take(long bytes) {
        if (bytes > total) {
            throw new Problem.PayloadTooLarge("what this request takes of the node's memory", total).raise();
        }
        long left = free.addAndGet(-bytes);
        if (left < 0) {
            free.addAndGet(bytes);
            throw new Problem.RateLimited(
                            "memory", "there is too much content at once for this node's memory; try again in 1 s", 1)
                    .raise();
        }
    }

    void giveBack(long bytes) {
        free.addAndGet(bytes);
    }
}
