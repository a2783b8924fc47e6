package dev.sheaf.server.queue.job;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.wire.queue.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Attempts of jobs that have ended.
public final class AttemptRows {
    /// One ended attempt.
    ///
    /// @param claim the number of the claim of this job
    /// @param number the number of the attempt of this job
    public record AttemptRow(
            int claim,
            int number,
            @Nullable UUID workerId,
            String holder,
            Instant claimedAt,
            @Nullable Instant startedAt,
            Instant endedAt,
            AttemptOutcome outcome,
            @Nullable String errorCode,
            @Nullable String errorMessage) {
        Job.Attempt toWire() {
            return new Job.Attempt(
                    number,
                    workerId,
                    holder,
                    claimedAt,
                    startedAt,
                    endedAt,
                    outcome.toString(),
                    errorCode,
                    errorMessage,
                    startedAt == null
                            ? null
                            : Duration.between(startedAt, endedAt).toMillis());
        }
    }

    private AttemptRows() {}

    /// Ends the current attempt of a job. If the attempt has already ended, which happens if a report is late,
    /// the new outcome replaces the old one.
    public static void end(Tx tx, JobRow job, AttemptOutcome outcome, JobRow.Failure failure) {
        tx.later(
                """
                INSERT INTO job_attempt (job_id, claim, number, worker_id, holder, claimed_at, started_at, ended_at, outcome,
                                         error_code, error_message)
                VALUES (:job, :claim, :number, :workerId, :holder, :claimedAt, :startedAt, :now, :outcome, :errorCode,
                        :errorMessage)
                ON CONFLICT (job_id, claim) DO UPDATE
                SET ended_at = excluded.ended_at, outcome = excluded.outcome, error_code = excluded.error_code,
                    error_message = excluded.error_message
                """,
                job.hold(),
                "job",
                job.id(),
                "claim",
                job.claims(),
                "number",
                job.attempt(),
                "outcome",
                outcome,
                "errorCode",
                failure.errorCode(),
                "errorMessage",
                failure.errorMessage());
    }

    /// Returns the last attempt of a job; empty if none has ended.
    public static Optional<AttemptRow> last(Tx tx, UUID job) {
        return tx.first(
                "SELECT * FROM job_attempt WHERE job_id = :job ORDER BY claim DESC LIMIT 1",
                AttemptRow.class,
                "job",
                job);
    }

    /// Returns the total bytes of the messages in [#list].
    static long bytes(Tx tx, UUID job) {
        return tx.number("""
                        SELECT coalesce(sum(octet_length(error_message)), 0) FROM (
                            SELECT error_message FROM job_attempt WHERE job_id = :job ORDER BY claim DESC LIMIT 1000) AS last
                        """, "job", job);
    }

    /// Lists the last thousand attempts in their order.
    static List<AttemptRow> list(Tx tx, UUID job) {
        return tx.list(
                        "SELECT * FROM job_attempt WHERE job_id = :job ORDER BY claim DESC LIMIT 1000",
                        AttemptRow.class,
                        "job",
                        job)
                .reversed();
    }
}
