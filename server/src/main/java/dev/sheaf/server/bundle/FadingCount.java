package dev.sheaf.server.bundle;

import java.time.Duration;
import java.time.Instant;

/// A popularity that fades: every download counts one at first and half as much a week later.
///
/// Kept as the logarithm of the sum, where each event at time t weighs 2^(t / half-life). All sums fade alike, so
/// their order only changes when something happens, and a stored one never has to be written again because time
/// passed.
public final class FadingCount {
    private static final double HALF_LIFE = Duration.ofDays(7).toMillis();
    private static final double SCALE = 1_000_000;

    private FadingCount() {}

    /// One event at that time.
    public static long of(Instant time) {
        return of(time, 1);
    }

    public static long of(Instant time, long events) {
        return Math.round((time.toEpochMilli() / HALF_LIFE + log2(events)) * SCALE);
    }

    /// Both sums together.
    public static long plus(long one, long other) {
        double high = Math.max(one, other) / SCALE;
        double low = Math.min(one, other) / SCALE;
        return Math.round((high + log2(1 + Math.pow(2, low - high))) * SCALE);
    }

    private static double log2(double value) {
        return Math.log(value) / Math.log(2);
    }
}
