package dev.sheaf.server.http.routing;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Counts running requests, of which there may be any number, and closes the door. Thread-safe.
final class InFlight {
    private static final int ALL = Integer.MAX_VALUE;

    private final Semaphore places = new Semaphore(ALL);
    private volatile boolean closed;
    private boolean drained;

    /// @return false where the door is closed
    boolean enter() {
        return !closed && places.tryAcquire();
    }

    void leave() {
        places.release();
    }

    /// Lets nobody in any more, and waits for those who are in.
    ///
    /// @return how many were still in when the time was over
    synchronized int drain(Duration limit) {
        closed = true;
        try {
            // kept, so that whoever is at the door at this moment finds no place
            drained = drained || places.tryAcquire(ALL, limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return drained ? 0 : ALL - places.availablePermits();
    }
}
