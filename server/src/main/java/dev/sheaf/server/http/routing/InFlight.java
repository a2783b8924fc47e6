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

    /// Waits for the running requests, and stops admitting further ones at the first moment without any, but at
    /// the latest after half of the limit. Until then, requests on connections that are still open are served: a
    /// proxy may have sent one before it learned of the end.
    ///
    /// @return the number of requests that are still running at the end of the limit
    synchronized int drain(Duration limit) {
        long half = limit.toMillis() / 2;
        try {
            // never released, so that a concurrent enter() fails
            drained = drained || places.tryAcquire(ALL, half, TimeUnit.MILLISECONDS);
            closed = true;
            drained = drained || places.tryAcquire(ALL, half, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closed = true;
        return drained ? 0 : ALL - places.availablePermits();
    }
}
