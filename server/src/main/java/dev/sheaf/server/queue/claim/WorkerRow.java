package dev.sheaf.server.queue.claim;

import dev.sheaf.engine.input.JsonText;
import dev.sheaf.model.wire.queue.Worker;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A program that works on jobs.
///
/// @param runnerId the id of its credential
/// @param holder the principal in the form of actors
record WorkerRow(
        UUID id,
        UUID organizationId,
        UUID habitatId,
        UUID runnerId,
        String holder,
        String instanceId,
        @Nullable String name,
        String workerType,
        @Nullable String clientVersion,
        @Nullable JsonText clientMetadata,
        @Nullable UUID currentJobId,
        long jobsCompleted,
        long jobsFailed,
        Instant registeredAt,
        Instant deadlineAt,
        @Nullable Instant deregisteredAt,
        @Nullable String reason) {
    boolean isOnline(Instant now) {
        return deregisteredAt == null && deadlineAt.isAfter(now);
    }

    Worker toWire(Instant now) {
        return new Worker(
                id,
                runnerId,
                habitatId,
                instanceId,
                name,
                workerType,
                clientVersion,
                clientMetadata == null ? null : clientMetadata.toWire(),
                isOnline(now) ? "online" : "offline",
                currentJobId,
                jobsCompleted,
                jobsFailed,
                registeredAt,
                deadlineAt,
                deregisteredAt,
                reason);
    }
}
