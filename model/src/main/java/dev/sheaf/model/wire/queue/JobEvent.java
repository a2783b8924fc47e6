package dev.sheaf.model.wire.queue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An event in the history of a job.
///
/// @param type `enqueued`, `claimed`, `started`, `progress`, `completed`, `failed`, `lost`, `timed-out`,
/// `released`, `cancelled`, `dead` or `retried`
/// @param attempt null before the first attempt
public record JobEvent(
        Instant at,
        String type,
        @Nullable Integer attempt,
        @Nullable Integer percent,
        @Nullable String message) {}
