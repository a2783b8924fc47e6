package dev.sheaf.server.registry.scrub;

import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/// Limits its thread to a number of bytes per second. The first second's worth may be used at once.
final class ByteThrottle {
    private final long bytesPerSecond;
    private final long start = System.nanoTime();
    private long spent;

    ByteThrottle(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /// Waits until this many more bytes may be processed.
    ///
    /// @throws CancellationException if the thread is interrupted
    void spend(long bytes) {
        spent += bytes;
        double seconds = (double) (spent - bytesPerSecond) / bytesPerSecond;
        long nanos = start + (long) (seconds * TimeUnit.SECONDS.toNanos(1)) - System.nanoTime();
        try {
            if (nanos > 0) {
                TimeUnit.NANOSECONDS.sleep(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("the node is stopping");
        }
    }
}
