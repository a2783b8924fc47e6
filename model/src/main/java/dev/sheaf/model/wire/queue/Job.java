package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A job.
///
/// @param status `scheduled`, `queued`, `claimed`, `running`, `completed`, `failed`, `dead` or `cancelled`
/// @param priority `low`, `normal`, `high` or `urgent`
/// @param inputData JSON, at most 256 KiB
/// @param outputData JSON from its worker, at most 256 KiB
/// @param bundle the reference as it was given, such as `acme/kit:^1`
/// @param bundleDigest the digest to which the reference resolved at the first claim; the same for all attempts
/// @param dedupeKey while this job is unfinished, its queue accepts no second job with this key
/// @param concurrencyKey only one job of the queue with this key is claimed at a time
/// @param attemptNumber the number of the current or last attempt; 0 before the first
/// @param maxAttempts the number of attempts allowed
/// @param heartbeatDeadlineAt when the lease expires without another heartbeat
/// @param durationMs the time from start to end, in milliseconds
/// @param attempts null unless requested
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
    /// The progress that its worker reported.
    ///
    /// @param percent 0 to 100
    public record Progress(
            Instant at, @Nullable Integer percent, @Nullable String message) {}

    /// A finished attempt.
    ///
    /// @param outcome `completed`, `failed`, `lost` (its lease expired), `timed-out`, `released` or `cancelled`
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

    /// Jobs that were enqueued together.
    public record Batch(List<Job> jobs) {
        public Batch {
            jobs = List.copyOf(jobs);
        }
    }

    /// The number of jobs that were purged.
    public record Count(long count) {}

    /// The result of a change of many jobs. Servers before 0.4 send only the number.
    ///
    /// @param count the number of jobs that were changed
    /// @param skipped the first hundred of the selected jobs that stayed as they were
    /// @param hasMore whether the limit of one request was reached and more jobs match
    public record Changed(
            long count,
            @Nullable List<Skipped> skipped,
            @Nullable Boolean hasMore) {
        public Changed {
            skipped = skipped == null ? null : List.copyOf(skipped);
        }
    }

    /// A job that stayed as it was.
    ///
    /// @param reason why, as the end of a sentence about the job
    public record Skipped(UUID id, String reason) {}

    /// Hides the data of the job, which may be secret, since this record may be logged.
    @Override
    public String toString() {
        return "Job[" + id + ", " + status + "]";
    }
}
