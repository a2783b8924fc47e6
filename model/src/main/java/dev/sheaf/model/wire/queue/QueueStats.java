package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Statistics of a queue over a period that ends now.
///
/// @param window the requested length of the period, such as `PT1H`
/// @param enqueued the number of new jobs
/// @param finished the number of jobs that ended, with any outcome
/// @param failuresByErrorCode the number of failed attempts by error code
/// @param sampled whether times and failures only cover the last 10,000 jobs of the period
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

    /// The 50th and 95th percentile, in milliseconds.
    public record Times(long p50, long p95) {}
}
