package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A queue of jobs.
///
/// @param status `active`, `paused` (accepts jobs, but workers cannot claim them) or `archived` (accepts no
/// jobs, keeps its history)
/// @param maxAttempts how many attempts a job may have, 1 to 100
/// @param leaseSeconds how long a claim lasts without a heartbeat, 5 to 600; after twice that time the job
/// returns to the queue
/// @param timeoutSeconds how long a job may run, 1 to 604,800
/// @param maxRunning how many jobs may be claimed at a time; null means no limit
/// @param maxDepth how many jobs may wait, 1 to 1,000,000
/// @param retentionDays how long finished jobs are kept, 1 to 3,650
/// @param bundle the reference of the bundle for its jobs, such as `acme/kit:^1`
/// @param execution null for callers without scope write
/// @param events the outcomes of jobs that emit an event: `completed`, `failed`, `dead`, `cancelled`
public record Queue(
        UUID id,
        UUID organizationId,
        String slug,
        String name,
        @Nullable String description,
        String status,
        UUID habitatId,
        int maxAttempts,
        int leaseSeconds,
        int timeoutSeconds,
        @Nullable Integer maxRunning,
        int maxDepth,
        Retry retry,
        int retentionDays,
        @Nullable String bundle,
        @Nullable String harnessType,
        @Nullable ExecutionDefaults execution,
        List<String> events,
        @Nullable ActiveInstruction activeInstruction,
        Counts counts,
        @Nullable Instant oldestQueuedAt,
        Instant createdAt,
        String createdBy,
        @Nullable Instant updatedAt) {
    public Queue {
        events = List.copyOf(events);
    }

    /// The limits, in seconds, of the delay before a failed job is retried. The delay is random, up to base ·
    /// 2^n and at most the cap.
    public record Retry(int baseSeconds, int capSeconds) {}

    /// The instruction that workers receive with a claim.
    public record ActiveInstruction(UUID id, String slug, String name, int version) {}

    /// The number of jobs in each state.
    public record Counts(
            long queued,
            long scheduled,
            long claimed,
            long running,
            long completed,
            long failed,
            long dead,
            long cancelled) {}

    /// Returns a copy without the members that change without an update; the ETag is computed from it.
    public Queue settings() {
        return new Queue(
                id,
                organizationId,
                slug,
                name,
                description,
                status,
                habitatId,
                maxAttempts,
                leaseSeconds,
                timeoutSeconds,
                maxRunning,
                maxDepth,
                retry,
                retentionDays,
                bundle,
                harnessType,
                execution,
                events,
                null,
                new Counts(0, 0, 0, 0, 0, 0, 0, 0),
                null,
                createdAt,
                createdBy,
                updatedAt);
    }
}
