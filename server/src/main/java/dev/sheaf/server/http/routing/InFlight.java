package dev.sheaf.server.http.routing;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Counts running requests, without a limit, and can stop admitting them. A node can announce its end before
/// that: it still serves requests, but asks clients to connect elsewhere. Thread-safe.
final class InFlight {
    private static final int ALL = Integer.MAX_VALUE;

    private final Semaphore places = new Semaphore(ALL);
    private volatile boolean leaving;
    private volatile boolean closed;
    private boolean drained;

    /// @return false if requests are no longer admitted
    boolean enter() {
        return !closed && places.tryAcquire();
    }

    void leave() {
        places.release();
    }

    /// Begins the time in which clients are asked to connect elsewhere.
    void announceEnd() {
        leaving = true;
    }

    /// Returns whether answers should end their connections.
    boolean isLeaving() {
        return leaving;
    }

    /// Admits no more requests, and waits for the running ones.
    ///
    /// @return the number of requests that are still running at the end of the limit
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
