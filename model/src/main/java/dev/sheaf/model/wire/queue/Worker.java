package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A running program that works on jobs.
///
/// @param runnerId the identity behind its credential
/// @param instanceId what the program calls itself; the same again replaces the older registration
/// @param status `online` or `offline`
/// @param heartbeatDeadlineAt when it counts as offline without another heartbeat
public record Worker(
        UUID workerId,
        UUID runnerId,
        UUID habitatId,
        String instanceId,
        @Nullable String name,
        String workerType,
        @Nullable String clientVersion,
        @Nullable Object clientMetadata,
        String status,
        @Nullable UUID currentJobId,
        long jobsCompleted,
        long jobsFailed,
        Instant registeredAt,
        Instant heartbeatDeadlineAt,
        @Nullable Instant deregisteredAt,
        @Nullable String reason) {
    /// The answer to a registration.
    public record Registered(UUID workerId, UUID runnerId, Instant heartbeatDeadlineAt, long heartbeatIntervalMs) {}

    /// The answer to a heartbeat.
    public record Beat(String status, Instant heartbeatDeadlineAt) {}
}
