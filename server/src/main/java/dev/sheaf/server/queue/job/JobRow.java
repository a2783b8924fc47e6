package dev.sheaf.server.queue.job;

import dev.sheaf.model.Digest;
import dev.sheaf.server.input.JsonText;
import dev.sheaf.server.queue.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A job.
///
/// @param statusReason why it is so, in a word; null: nothing special
/// @param place by which it is handed out, the lowest first
/// @param dueAt when a scheduled one is queued; null: it is not scheduled
/// @param blocked whether another job with its concurrency key is claimed
/// @param attempt the number of the present or the last try; 0 before the first
/// @param claims how often it was claimed, with claims that count as no try
/// @param lastAttempt the number of the last try there is to be
public record JobRow(
        UUID id,
        UUID organizationId,
        UUID queueId,
        UUID habitatId,
        String jobType,
        JobState status,
        @Nullable String statusReason,
        Priority priority,
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
    /// Who has it, or had it last where it was taken away.
    ///
    /// @param holder as actors are written; null: nobody who may still report on it
    /// @param leaseMs what the claim asked for
    /// @param leaseUntil when the lease ends without another heartbeat
    /// @param deadlineAt when it is given back
    public record Hold(
            @Nullable UUID workerId,
            @Nullable String holder,
            @Nullable Long leaseMs,
            @Nullable Instant claimedAt,
            @Nullable Instant leaseUntil,
            @Nullable Instant deadlineAt,
            @Nullable Instant startedAt) {
        public static final Hold NONE = new Hold(null, null, null, null, null, null, null);

        /// The same with another lease from now on. It is given back when the lease and as much again are
        /// over, or when
        /// it has run for too long.
        ///
        /// @param timeout how long it may run
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

        /// The same with a begin.
        public Hold started(Instant now) {
            return new Hold(workerId, holder, leaseMs, claimedAt, leaseUntil, deadlineAt, now);
        }

        /// The same for another worker.
        public Hold by(UUID worker) {
            return new Hold(worker, holder, leaseMs, claimedAt, leaseUntil, deadlineAt, startedAt);
        }
    }

    /// What went wrong last.
    public record Failure(
            @Nullable String errorCode,
            @Nullable String errorMessage,
            @Nullable JsonText errorDetails) {
        /// In bytes of a message, and of details.
        public static final int MAX_MESSAGE = 16 << 10;

        public static final Failure NONE = new Failure(null, null, null);
    }

    // --- what [JobRows] makes of it, without asking the database for the row that it has just written ---

    /// It is claimed.
    JobRow claimed(Hold by, Instant now) {
        return with(JobState.CLAIMED, null, 1, by, now);
    }

    /// Its holder has begun it, or still does it.
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

    /// It was done.
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

    /// Whether there is another try after the present one.
    public boolean hasMoreAttempts() {
        return attempt < lastAttempt;
    }
}
