package dev.sheaf.server.http.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Whether the other side of a connection keeps the pace that a body must have at least, in one direction. Only the
/// time counts in which it was waited for. Where it was quicker, that helps it later, but for no longer than a
/// connection may stand still anyway: nobody gets hours for a quick start. Thread-safe.
final class MinimumPace {
    private final long bytesPerSecond;
    private final long grace;
    private final long credit;
    private long behind; // nanoseconds; negative: ahead
    private long since;
    private long expected = -1;

    /// @param standstill how long nothing at all may move
    MinimumPace(HttpServer.Pace pace, Duration standstill) {
        this.bytesPerSecond = pace.bytesPerSecond();
        this.grace = pace.grace().toNanos();
        this.credit = standstill.toNanos();
    }

    /// The other side is waited for.
    ///
    /// @param now in nanoseconds, here and below
    /// @param bytes that are on their way together: some of them may have moved when nobody can tell yet
    synchronized void await(long now, long bytes) {
        since = now;
        expected = bytes;
    }

    /// The waiting is over.
    ///
    /// @param bytes that have moved
    synchronized void moved(long now, long bytes) {
        behind = Math.max(-credit, behind + now - since - time(bytes));
        expected = -1;
    }

    /// Whether it is waited for, and is slower than anybody who means it.
    synchronized boolean isTooSlow(long now) {
        return bytesPerSecond > 0 && expected >= 0 && behind + now - since - time(expected) > grace;
    }

    private long time(long bytes) {
        return bytesPerSecond > 0 ? (long) ((double) bytes / bytesPerSecond * TimeUnit.SECONDS.toNanos(1)) : 0;
    }
}
