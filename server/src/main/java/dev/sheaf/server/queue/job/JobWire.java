package dev.sheaf.server.queue.job;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.JsonText;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.server.queue.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Jobs in the form of the API.
public final class JobWire {
    private JobWire() {}

    static List<Job> show(Tx tx, List<JobRow> rows) {
        var progress = ProgressRows.last(tx, rows.stream().map(JobRow::id).toList());
        return rows.stream().map(row -> show(row, progress.get(row.id()), null)).toList();
    }

    /// Returns a job with its progress.
    public static Job show(Tx tx, JobRow row) {
        return show(tx, List.of(row)).getFirst();
    }

    /// Returns a job without progress.
    public static Job show(JobRow row) {
        return show(row, null, null);
    }

    static Job show(JobRow row, Job.@Nullable Progress progress, @Nullable List<Job.Attempt> attempts) {
        var hold = row.status().isWaiting() ? JobRow.Hold.NONE : row.hold();
        return new Job(
                row.id(),
                row.organizationId(),
                row.queueId(),
                row.habitatId(),
                row.jobType(),
                row.status().toString(),
                row.statusReason(),
                row.priority().toString(),
                wire(row.content().input()),
                wire(row.content().output()),
                wire(row.content().data()),
                row.content().ceType(),
                row.content().ceSource(),
                row.content().ceSubject(),
                row.routeId(),
                row.bundle(),
                text(row.bundleDigest()),
                row.dedupeKey(),
                row.concurrencyKey(),
                row.notBefore(),
                row.attempt(),
                row.lastAttempt(),
                row.status() == JobState.SCHEDULED && row.attempt() > 0 ? row.dueAt() : null,
                hold.workerId(),
                hold.claimedAt(),
                hold.leaseUntil(),
                hold.startedAt(),
                row.completedAt(),
                millis(hold.startedAt(), row.completedAt()),
                row.failure().errorCode(),
                row.failure().errorMessage(),
                wire(row.failure().errorDetails()),
                row.createdAt(),
                row.updatedAt(),
                row.createdBy(),
                isOf(hold, progress) ? progress : null,
                attempts);
    }

    /// Returns whether the progress is from the current or last claim. Progress of earlier claims is only
    /// history.
    private static boolean isOf(JobRow.Hold hold, Job.@Nullable Progress progress) {
        var claimed = hold.claimedAt();
        return claimed != null && progress != null && !progress.at().isBefore(claimed);
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static @Nullable Long millis(@Nullable Instant start, @Nullable Instant end) {
        return start == null || end == null
                ? null
                : Duration.between(start, end).toMillis();
    }

    private static @Nullable Object wire(@Nullable JsonText value) {
        return value == null ? null : value.toWire();
    }
}
