package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A schedule that enqueues jobs.
///
/// @param cron five fields: minute, hour, day of month, month, day of week
/// @param timeZone such as `Europe/Zurich`
/// @param disabledReason why the registry disabled it; null if it did not
/// @param nextAt the next time; null if it is disabled or has no further time
public record Schedule(
        UUID id,
        UUID queueId,
        String name,
        String cron,
        String timeZone,
        @Nullable Object inputData,
        @Nullable String jobType,
        boolean enabled,
        @Nullable String disabledReason,
        @Nullable Instant nextAt,
        @Nullable Instant lastAt,
        Instant createdAt,
        String createdBy,
        @Nullable Instant updatedAt) {}
