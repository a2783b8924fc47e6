package dev.sheaf.client.work;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpReply;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Runner;
import dev.sheaf.model.wire.queue.Worker.Beat;
import dev.sheaf.model.wire.queue.Worker.Registered;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The API calls of a worker. Thread-safe.
final class RunnerCalls {
    /// The maximum number of jobs in one claim.
    static final int MOST = 20;

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int LONGEST_MESSAGE = 8_000;
    private static final int LONGEST_CODE = 100;
    private static final int LONGEST_PROGRESS = 500;
    private static final Pattern UNCLEAN = Pattern.compile("[\\p{Cc}\\p{Cs}&&[^\\n\\r\\t]]");

    private final ApiResource runner;

    RunnerCalls(RegistryTransport transport) {
        this.runner = new ApiResource(transport, "/v1/runner");
    }

    record Registration(
            String instanceId,
            UUID habitatId,
            @Nullable String name,
            String workerType,
            String clientVersion,
            @Nullable Object clientMetadata) {}

    private record ClaimRequest(
            UUID queueId,
            @Nullable Long leaseDurationMs,
            @Nullable UUID workerId,
            int max) {}

    /// The answer to a claim.
    ///
    /// @param jobs empty if there was no job in time
    /// @param failed how many jobs failed instead of being handed out
    /// @param heldBack when this credential may again claim one of the jobs that it released; null if no such
    /// job waits
    record Claimed(List<Claim> jobs, int failed, @Nullable Instant heldBack) {
        /// Passes the rest of the answer to the listener, and returns the jobs.
        List<Claim> toldTo(WorkerListener listener, Runner.QueueEntry queue) {
            if (failed > 0) {
                listener.failedUnclaimed(queue, failed);
            }
            if (heldBack != null) {
                listener.heldBack(queue, heldBack);
            }
            return jobs;
        }
    }

    private record ClaimedJobs(@Nullable List<Claim> jobs) {}

    /// @param attemptNumber the number of the attempt; a claim by another program with the same key has another
    /// number
    private record Try(int attemptNumber) {}

    private record Output(int attemptNumber, @Nullable Object outputData) {}

    private record Failure(
            int attemptNumber,
            String errorCode,
            @Nullable String errorMessage,
            @Nullable Object errorDetails,
            boolean shouldRetry) {}

    private record Progress(
            int attemptNumber,
            @Nullable Integer percent,
            @Nullable String message) {}

    private record Heartbeat(@Nullable UUID currentJobId) {}

    private record Deregistration(String reason, long jobsCompleted, long jobsFailed) {}

    /// Returns a queue.
    ///
    /// @param named an id or a slug
    Runner.QueueEntry queue(String named) {
        return runner.list("/queues", Runner.QueueEntry.class).stream()
                .filter(queue ->
                        queue.slug().equals(named) || queue.id().toString().equals(named))
                .findFirst()
                .orElseThrow(() -> new SheafException.NotFound(
                        "the queue " + named + " does not exist, or this credential may not work on it",
                        SheafException.Answer.NONE));
    }

    Registered register(Registration registration) {
        var call = runner.call("POST", "/workers:register")
                .sendingJson(registration)
                .expecting(200, 201);
        return runner.transport().json(call, Registered.class);
    }

    Beat beat(UUID worker, @Nullable UUID job) {
        return runner.post("/workers/" + worker + ":heartbeat", new Heartbeat(job), Beat.class);
    }

    void deregister(UUID worker, String reason, long completed, long failed) {
        runner.transport()
                .head(runner.call("POST", "/workers/" + worker + ":deregister")
                        .sendingJson(new Deregistration(reason, completed, failed))
                        .expecting(200, 204));
    }

    /// Claims jobs in one request, which waits until a job is due.
    ///
    /// @param lease null to use the queue's
    /// @param most the maximum number of jobs, up to [#MOST]
    Claimed claim(UUID queue, @Nullable UUID worker, @Nullable Duration lease, int most, Duration wait) {
        var request = new ClaimRequest(queue, lease == null ? null : lease.toMillis(), worker, most);
        var call = runner.call("POST", "/jobs:claim?wait_timeout_seconds=" + wait.toSeconds())
                .sendingJson(request)
                .header("Accept", RegistryTransport.JSON)
                .expecting(200, 204)
                .once()
                .answeredWithin(wait.plus(PATIENCE));
        try (var reply = runner.transport().once(call)) {
            int failed =
                    (int) reply.headers().firstValueAsLong("Sheaf-Failed-Jobs").orElse(0);
            if (reply.status() == 204) {
                return new Claimed(List.of(), failed, heldBack(reply));
            }
            byte[] json = reply.bytes(RegistryTransport.LONGEST_JSON);
            var jobs = WireJson.read(json, ClaimedJobs.class).jobs();
            var claims = jobs == null ? List.of(checked(WireJson.read(json, Claim.class))) : checked(jobs);
            return new Claimed(claims, failed, null);
        } catch (IOException e) {
            throw runner.transport().broken(e);
        }
    }

    private static @Nullable Instant heldBack(HttpReply reply) {
        try {
            return reply.header("Sheaf-Held-Back-Until").map(Instant::parse).orElse(null);
        } catch (DateTimeParseException e) {
            return null; // only a hint
        }
    }

    private static List<Claim> checked(List<Claim> claims) {
        claims.forEach(RunnerCalls::checked);
        return claims;
    }

    private static Claim checked(Claim claim) {
        WireJson.present(WireJson.present(claim.job(), "job").id(), "job.id");
        return claim;
    }

    Job start(Job job) {
        return verb(job.id(), "start", new Try(job.attemptNumber()));
    }

    Job heartbeat(UUID job) {
        return verb(job, "heartbeat", Map.of());
    }

    Job complete(Job job, Outcome.Completed outcome) {
        return verb(job.id(), "complete", new Output(job.attemptNumber(), outcome.output()));
    }

    Job fail(Job job, Outcome.Failed outcome) {
        var failure = new Failure(
                job.attemptNumber(),
                cut(outcome.code(), LONGEST_CODE),
                outcome.message() == null ? null : cut(outcome.message(), LONGEST_MESSAGE),
                outcome.details(),
                outcome.retry());
        return verb(job.id(), "fail", failure);
    }

    Job release(Job job) {
        return verb(job.id(), "release", new Try(job.attemptNumber()));
    }

    void progress(Job job, @Nullable Integer percent, @Nullable String message) {
        runner.transport()
                .attempt(runner.call("POST", "/jobs/" + job.id() + ":progress")
                        .sendingJson(new Progress(
                                job.attemptNumber(), percent, message == null ? null : cut(message, LONGEST_PROGRESS)))
                        .expecting(200, 202, 204)
                        .once());
    }

    private Job verb(UUID job, String verb, Object body) {
        return runner.post("/jobs/" + job + ":" + verb, body, Job.class);
    }

    /// Returns a text that a registry accepts: limited in length, without control characters except line ends
    /// and tabs, and without half surrogate pairs.
    private static String cut(String text, int most) {
        String clean = UNCLEAN.matcher(text).replaceAll("\uFFFD");
        if (clean.length() <= most) {
            return clean;
        }
        return clean.substring(0, Character.isHighSurrogate(clean.charAt(most - 1)) ? most - 1 : most);
    }
}
