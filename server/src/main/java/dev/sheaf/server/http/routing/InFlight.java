package dev.sheaf.server.http.routing;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Counts running requests, without a limit, and can stop admitting them. Thread-safe.
final class InFlight {
    private static final int ALL = Integer.MAX_VALUE;

    private final Semaphore places = new Semaphore(ALL);
    private volatile boolean closed;
    private boolean drained;

    /// @return false if no requests are admitted any more
    boolean enter() {
        return !closed && places.tryAcquire();
    }

    void leave() {
        places.release();
    }

    /// Stops admitting requests and waits for the running ones.
    ///
    /// @return the number of requests still running when the time was over
    synchronized int drain(Duration limit) {
        closed = true;
        try {
            // never released, so that a concurrent enter() fails
            drained = drained || places.tryAcquire(ALL, limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return drained ? 0 : ALL - places.availablePermits();
    }
}
