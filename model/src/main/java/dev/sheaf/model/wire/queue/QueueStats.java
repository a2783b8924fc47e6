package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a queue did in a window of time up to now.
///
/// @param window as it was asked for, such as `PT1H`
/// @param enqueued jobs that came in
/// @param finished jobs that ended, in whatever way
/// @param failuresByErrorCode how many tries failed, by their code
/// @param sampled whether times and failures are of the last 10,000 jobs of a window that holds more
public record QueueStats(
        String window,
        long enqueued,
        long finished,
        double enqueuedPerMinute,
        double finishedPerMinute,
        @Nullable Times waitMs,
        @Nullable Times runMs,
        Map<String, Long> failuresByErrorCode,
        @Nullable Instant oldestQueuedAt,
        boolean sampled) {
    public QueueStats {
        failuresByErrorCode = Map.copyOf(failuresByErrorCode);
    }

    /// Milliseconds that half, and 95 of 100, stayed below.
    public record Times(long p50, long p95) {}
}
