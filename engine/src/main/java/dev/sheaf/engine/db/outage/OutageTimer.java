package dev.sheaf.engine.db.outage;

import java.time.Duration;
import java.util.function.LongSupplier;

/// Measures how long something failed, for the log. Not thread-safe.
public final class OutageTimer {
    private static final Duration FEW = Duration.ofMinutes(2);
    private static final Duration MANY = Duration.ofHours(2);

    private final LongSupplier nanos;
    private long began;

    public OutageTimer() {
        this(System::nanoTime);
    }

    /// @param nanos a clock like [System#nanoTime]
    OutageTimer(LongSupplier nanos) {
        this.nanos = nanos;
    }

    public void begins() {
        began = nanos.getAsLong();
    }

    /// Returns the time since it began, such as "61 seconds".
    public String lasted() {
        var time = Duration.ofNanos(nanos.getAsLong() - began);
        if (time.compareTo(FEW) < 0) {
            long seconds = Math.max(1, time.plusMillis(500).toSeconds());
            return seconds == 1 ? "1 second" : seconds + " seconds";
        }
        return time.compareTo(MANY) < 0
                ? time.toMinutes() + " minutes"
                : time.toHours() + " hours and " + time.toMinutesPart() + " minutes";
    }
}
