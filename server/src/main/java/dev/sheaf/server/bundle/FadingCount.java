package dev.sheaf.server.bundle;

import java.time.Duration;
import java.time.Instant;

/// A popularity that decays: a download counts 1 at first and 0.5 after a week.
///
/// Stored as the logarithm of a sum in which an event at time t weighs 2^(t / half-life). All sums decay alike, so
/// their order only changes when an event happens, and stored sums need not be rewritten as time passes.
public final class FadingCount {
    private static final double HALF_LIFE = Duration.ofDays(7).toMillis();
    private static final double SCALE = 1_000_000;

    private FadingCount() {}

    /// Returns the count of one event at that time.
    public static long of(Instant time) {
        return of(time, 1);
    }

    public static long of(Instant time, long events) {
        return Math.round((time.toEpochMilli() / HALF_LIFE + log2(events)) * SCALE);
    }

    /// Returns the sum of two counts.
    public static long plus(long one, long other) {
        double high = Math.max(one, other) / SCALE;
        double low = Math.min(one, other) / SCALE;
        return Math.round((high + log2(1 + Math.pow(2, low - high))) * SCALE);
    }

    private static double log2(double value) {
        return Math.log(value) / Math.log(2);
    }
}
