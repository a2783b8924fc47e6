package dev.sheaf.server.http.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Checks whether the other side of a connection keeps the minimum pace of a body, in one direction. Only the time
/// spent waiting for it counts. A faster pace gives credit for later, limited to the time that a connection may
/// stand still, so that a fast start does not buy hours. Thread-safe.
final class MinimumPace {
    private final long bytesPerSecond;
    private final long grace;
    private final long credit;
    private long behind; // in nanoseconds; negative if ahead
    private long since;
    private long expected = -1;

    /// @param standstill how long nothing at all may move
    MinimumPace(HttpServer.Pace pace, Duration standstill) {
        this.bytesPerSecond = pace.bytesPerSecond();
        this.grace = pace.grace().toNanos();
        this.credit = standstill.toNanos();
    }

    /// Notes that the other side is waited for.
    ///
    /// @param now in nanoseconds, here and below
    /// @param bytes that are sent together; some of them may have moved before this can be noticed
    synchronized void await(long now, long bytes) {
        since = now;
        expected = bytes;
    }

    /// Notes that the waiting is over.
    ///
    /// @param bytes that have moved
    synchronized void moved(long now, long bytes) {
        behind = Math.max(-credit, behind + now - since - time(bytes));
        expected = -1;
    }

    /// Returns whether the other side is waited for and is too slow.
    synchronized boolean isTooSlow(long now) {
        return bytesPerSecond > 0 && expected >= 0 && behind + now - since - time(expected) > grace;
    }

    private long time(long bytes) {
        return bytesPerSecond > 0 ? (long) ((double) bytes / bytesPerSecond * TimeUnit.SECONDS.toNanos(1)) : 0;
    }
}
