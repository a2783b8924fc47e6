package dev.sheaf.server.queue.job;

import dev.sheaf.engine.input.JsonText;
import dev.sheaf.model.Digest;
import dev.sheaf.server.queue.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A job, as it is stored.
///
/// @param statusReason the reason for the status, in one word; null if there is no special reason
/// @param place the position in the queue; the lowest is handed out first
/// @param dueAt when a scheduled job is queued; null if the job is not scheduled
/// @param blocked whether another job with its concurrency key is claimed
/// @param attempt the number of the current or last attempt; 0 before the first
/// @param claims how many times the job was claimed, including claims that do not count as attempts
/// @param lastAttempt the number of the last allowed attempt
public record JobRow(
        UUID id,
        UUID organizationId,
        UUID queueId,
        UUID habitatId,
        String jobType,
        JobState status,
        @Nullable String statusReason,
        JobPriority priority,
        long place,
        @Nullable Instant dueAt,
        boolean blocked,
        NewJob.Content content,
        @Nullable UUID routeId,
        @Nullable String bundle,
        @Nullable Digest bundleDigest,
        @Nullable String dedupeKey,
        @Nullable String concurrencyKey,
        @Nullable Instant notBefore,
        int attempt,
        int claims,
        int lastAttempt,
        Hold hold,
        @Nullable Instant completedAt,
        Failure failure,
        Instant createdAt,
        String createdBy,
        @Nullable Instant updatedAt) {
    /// The holder of a job, or its last holder if the job was taken away.
    ///
    /// @param holder the holder in the form of actors; null if no holder may report on the job
    /// @param leaseMs the lease that the claim requested
    /// @param leaseUntil when the lease ends without another heartbeat
    /// @param deadlineAt when the job returns to its queue without another heartbeat
    public record Hold(
            @Nullable UUID workerId,
            @Nullable String holder,
            @Nullable Long leaseMs,
            @Nullable Instant claimedAt,
            @Nullable Instant leaseUntil,
            @Nullable Instant deadlineAt,
            @Nullable Instant startedAt) {
        public static final Hold NONE = new Hold(null, null, null, null, null, null, null);

        /// Returns the same hold with a lease from now on. The job returns to its queue after twice the lease,
        /// or when it has run for too long.
        ///
        /// @param timeout how long the job may run
        public Hold renewed(Instant now, Duration lease, Duration timeout) {
            var given = now.plus(lease.multipliedBy(2));
            var end = startedAt == null ? null : startedAt.plus(timeout);
            return new Hold(
                    workerId,
                    holder,
                    lease.toMillis(),
                    claimedAt,
                    now.plus(lease),
                    end != null && end.isBefore(given) ? end : given,
                    startedAt);
        }

        /// Returns the same hold with a start time.
        public Hold started(Instant now) {
            return new Hold(workerId, holder, leaseMs, claimedAt, leaseUntil, deadlineAt, now);
        }

        /// Returns the same hold for another worker.
        public Hold by(UUID worker) {
            return new Hold(worker, holder, leaseMs, claimedAt, leaseUntil, deadlineAt, startedAt);
        }
    }

    /// The last failure.
    public record Failure(
            @Nullable String errorCode,
            @Nullable String errorMessage,
            @Nullable JsonText errorDetails) {
        /// The limit of the message and of the details, in bytes each.
        public static final int MAX_MESSAGE = 16 << 10;

        public static final Failure NONE = new Failure(null, null, null);
    }

    // --- the results of [JobRows], computed instead of reading the written row again ---

    /// Returns the claimed job.
    JobRow claimed(Hold by, Instant now) {
        return with(JobState.CLAIMED, null, 1, by, now);
    }

    /// Returns the job after its holder has started or continued it.
    JobRow held(JobState state, Hold by, Instant now) {
        var its = new Hold(
                by.workerId(),
                hold.holder(),
                hold.leaseMs(),
                hold.claimedAt(),
                by.leaseUntil(),
                by.deadlineAt(),
                by.startedAt());
        return with(state, statusReason, 0, its, now);
    }

    private JobRow with(JobState state, @Nullable String reason, int more, Hold its, Instant now) {
        return new JobRow(
                id,
                organizationId,
                queueId,
                habitatId,
                jobType,
                state,
                reason,
                priority,
                place,
                dueAt,
                blocked,
                content,
                routeId,
                bundle,
                bundleDigest,
                dedupeKey,
                concurrencyKey,
                notBefore,
                attempt + more,
                claims + more,
                lastAttempt,
                its,
                completedAt,
                failure,
                createdAt,
                createdBy,
                now);
    }

    /// Returns the completed job.
    JobRow completed(@Nullable JsonText output, Instant now) {
        var last = new Hold(hold.workerId(), null, hold.leaseMs(), hold.claimedAt(), null, null, hold.startedAt());
        return new JobRow(
                id,
                organizationId,
                queueId,
                habitatId,
                jobType,
                JobState.COMPLETED,
                null,
                priority,
                place,
                null,
                false,
                content.with(output),
                routeId,
                bundle,
                bundleDigest,
                dedupeKey,
                concurrencyKey,
                notBefore,
                attempt,
                claims,
                lastAttempt,
                last,
                now,
                Failure.NONE,
                createdAt,
                createdBy,
                now);
    }

    /// Returns whether attempts are left after the current one.
    public boolean hasMoreAttempts() {
        return attempt < lastAttempt;
    }
}
