package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A piece of work.
///
/// @param status `scheduled`, `queued`, `claimed`, `running`, `completed`, `failed`, `dead` or `cancelled`
/// @param priority `low`, `normal`, `high` or `urgent`
/// @param inputData JSON, at most 256 KiB
/// @param outputData JSON, at most 256 KiB; what its worker reported
/// @param bundle reference as it was given, such as `acme/kit:^1`
/// @param bundleDigest what the reference meant at the first claim; kept for all tries
/// @param dedupeKey while this job is not finished, no second one has the key in its queue
/// @param concurrencyKey of its queue, one job with this key is claimed at a time
/// @param attemptNumber of the present or the last try; 0 before the first
/// @param maxAttempts the number of the last try there is to be
/// @param heartbeatDeadlineAt when the lease ends without another heartbeat
/// @param durationMs from start to end
/// @param attempts null unless asked for
public record Job(
        UUID id,
        UUID organizationId,
        UUID queueId,
        UUID habitatId,
        String jobType,
        String status,
        @Nullable String statusReason,
        String priority,
        @Nullable Object inputData,
        @Nullable Object outputData,
        @Nullable Object data,
        @Nullable String ceType,
        @Nullable String ceSource,
        @Nullable String ceSubject,
        @Nullable UUID routeId,
        @Nullable String bundle,
        @Nullable String bundleDigest,
        @Nullable String dedupeKey,
        @Nullable String concurrencyKey,
        @Nullable Instant notBefore,
        int attemptNumber,
        int maxAttempts,
        @Nullable Instant nextRetryAt,
        @Nullable UUID workerId,
        @Nullable Instant claimedAt,
        @Nullable Instant heartbeatDeadlineAt,
        @Nullable Instant startedAt,
        @Nullable Instant completedAt,
        @Nullable Long durationMs,
        @Nullable String errorCode,
        @Nullable String errorMessage,
        @Nullable Object errorDetails,
        Instant createdAt,
        @Nullable Instant updatedAt,
        String createdBy,
        @Nullable Progress progress,
        @Nullable List<Attempt> attempts) {
    /// How far its worker says it is.
    ///
    /// @param percent 0 to 100
    public record Progress(
            Instant at, @Nullable Integer percent, @Nullable String message) {}

    /// One try that has ended.
    ///
    /// @param outcome `completed`, `failed`, `lost` (its lease ran out), `timed-out`, `released` or `cancelled`
    public record Attempt(
            int number,
            @Nullable UUID workerId,
            String holder,
            Instant claimedAt,
            @Nullable Instant startedAt,
            Instant endedAt,
            String outcome,
            @Nullable String errorCode,
            @Nullable String errorMessage,
            @Nullable Long durationMs) {}

    /// Several that were enqueued together.
    public record Batch(List<Job> jobs) {
        public Batch {
            jobs = List.copyOf(jobs);
        }
    }

    /// How many were retried or purged.
    public record Count(long count) {}

    /// Does not show what the job is about, which may be secret: this record may reach a log.
    @Override
    public String toString() {
        return "Job[" + id + ", " + status + "]";
    }
}
