package dev.sheaf.model.wire.queue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One thing that happened to a job.
///
/// @param type `enqueued`, `claimed`, `started`, `progress`, `completed`, `failed`, `lost`, `timed-out`, `released`
/// or `cancelled`
/// @param attempt null before the first try
public record JobEvent(
        Instant at,
        String type,
        @Nullable Integer attempt,
        @Nullable Integer percent,
        @Nullable String message) {}
