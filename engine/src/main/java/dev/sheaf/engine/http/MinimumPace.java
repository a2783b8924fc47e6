package dev.sheaf.engine.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Checks whether the other side of a connection keeps the minimum pace of a body, in one direction. Only the
/// time spent waiting for the other side counts. A faster pace gives credit for later, limited to the time for
/// which a connection may stand still. Thread-safe.
final class MinimumPace {
    private static final int MIN_PIECE = 8 << 10;
    private static final int MAX_PIECE = 256 << 10;

    private final long bytesPerSecond;
    private final long grace;
    private final long credit;
    private long behind; // in nanoseconds; negative if ahead
    private long since;
    private long expected = -1;

    /// @param standstill how long a connection may stand still
    MinimumPace(HttpServer.Pace pace, Duration standstill) {
        this.bytesPerSecond = pace.bytesPerSecond();
        this.grace = pace.grace().toNanos();
        this.credit = standstill.toNanos();
    }

    /// Returns the limit of bytes that are sent together. A client at eight times the minimum pace must be able to read
    /// them before it counts as standing still.
    static int piece(HttpServer.Pace pace, long standstill) {
        double inTime = 8 * pace.bytesPerSecond() * (standstill / 1e9);
        return inTime > 0 ? (int) Math.clamp(inTime, MIN_PIECE, MAX_PIECE) : MAX_PIECE;
    }

    /// Records that a wait for the other side begins.
    ///
    /// @param now the time of a clock in nanoseconds, here and below
    /// @param bytes how many bytes are sent together; the other side may have received some of them unnoticed
    synchronized void await(long now, long bytes) {
        since = now;
        expected = bytes;
    }

    /// Records that the wait is over.
    ///
    /// @param bytes how many bytes have moved
    synchronized void moved(long now, long bytes) {
        behind = Math.max(-credit, behind + now - since - time(bytes));
        expected = -1;
    }

    /// Returns whether a wait for the other side is in progress and it is too slow.
    synchronized boolean isTooSlow(long now) {
        return bytesPerSecond > 0 && expected >= 0 && behind + now - since - time(expected) > grace;
    }

    private long time(long bytes) {
        return bytesPerSecond > 0 ? (long) ((double) bytes / bytesPerSecond * TimeUnit.SECONDS.toNanos(1)) : 0;
    }
}
