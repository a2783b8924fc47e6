package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A running program that works on jobs.
///
/// @param runnerId the identity of its credential
/// @param instanceId a name that the program chose; a registration with the same name replaces the older one
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
    /// The response to a registration.
    public record Registered(UUID workerId, UUID runnerId, Instant heartbeatDeadlineAt, long heartbeatIntervalMs) {}

    /// The response to a heartbeat.
    public record Beat(String status, Instant heartbeatDeadlineAt) {}
}
