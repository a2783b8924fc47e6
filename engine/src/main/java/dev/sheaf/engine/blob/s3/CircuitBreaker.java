package dev.sheaf.engine.blob.s3;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/// Refuses calls to a bucket that does not answer, so that requests fail at once and keep no threads waiting. It opens
/// after several failures in a row. Errors that the bucket reports about one object count once, because that object
/// alone may be damaged or busy; if the bucket is, other objects soon show it. While the breaker is open, one call a
/// second is tried, and the first success closes it.
/// Thread-safe.
final class CircuitBreaker {
    static final int FAILURES = 3;
    static final Duration PAUSE = Duration.ofSeconds(1);

    private final LongSupplier nanos;
    private final Set<String> objects = new HashSet<>(); // those among the failures
    private volatile int failures; // in a row
    private long nextTry;

    /// @param nanos a clock that never goes back
    CircuitBreaker(LongSupplier nanos) {
        this.nanos = nanos;
    }

    boolean isOpen() {
        return failures >= FAILURES;
    }

    /// Returns whether the last call failed.
    boolean isInDoubt() {
        return failures > 0;
    }

    /// Returns whether a call may be made now. While the breaker is open, this is true for one caller per pause.
    boolean admits() {
        return !isOpen() || isTurn();
    }

    private synchronized boolean isTurn() {
        long now = nanos.getAsLong();
        if (now - nextTry < 0) {
            return false;
        }
        nextTry = now + PAUSE.toNanos();
        return true;
    }

    /// Notes that the bucket answered.
    ///
    /// @return whether this closed the breaker
    boolean succeeded() {
        return failures > 0 && close();
    }

    private synchronized boolean close() {
        boolean wasOpen = isOpen();
        failures = 0;
        objects.clear();
        return wasOpen;
    }

    /// Notes that the bucket did not answer.
    ///
    /// @return whether this opened the breaker
    synchronized boolean failed() {
        return !isOpen() && count();
    }

    /// Notes that the bucket reported an error of its own about an object.
    ///
    /// @return whether this opened the breaker
    synchronized boolean failedAbout(String object) {
        return !isOpen() && objects.add(object) && count();
    }

    private boolean count() {
        failures++;
        if (isOpen()) {
            nextTry = nanos.getAsLong() + PAUSE.toNanos();
        }
        return isOpen();
    }
}
