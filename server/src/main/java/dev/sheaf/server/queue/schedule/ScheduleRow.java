package dev.sheaf.server.queue.schedule;

import dev.sheaf.engine.input.JsonText;
import dev.sheaf.model.wire.queue.Schedule;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A schedule of a queue, as it is stored.
///
/// @param disabled why the registry disabled the schedule; null if it did not
/// @param nextAt the next time; null if there is none, or the schedule is not enabled
record ScheduleRow(
        UUID id,
        UUID queueId,
        String name,
        String cron,
        String timeZone,
        @Nullable JsonText input,
        String jobType,
        boolean enabled,
        @Nullable String disabled,
        @Nullable Instant nextAt,
        @Nullable Instant lastAt,
        Instant createdAt,
        String createdBy,
        @Nullable Instant updatedAt) {
    Schedule toWire() {
        return new Schedule(
                id,
                queueId,
                name,
                cron,
                timeZone,
                input == null ? null : input.toWire(),
                jobType,
                enabled,
                disabled,
                nextAt,
                lastAt,
                createdAt,
                createdBy,
                updatedAt);
    }
}
