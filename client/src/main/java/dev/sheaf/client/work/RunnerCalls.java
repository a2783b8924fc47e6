package dev.sheaf.client.work;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.Resource;
import dev.sheaf.client.http.Transport;
import dev.sheaf.client.io.Json;
import dev.sheaf.model.wire.queue.Claim;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Runner;
import dev.sheaf.model.wire.queue.Worker.Beat;
import dev.sheaf.model.wire.queue.Worker.Registered;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The API calls of a worker. Thread-safe.
final class RunnerCalls {
    /// The limit of jobs in one claim.
    static final int MOST = 20;

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int LONGEST_MESSAGE = 8_000;
    private static final int LONGEST_CODE = 100;
    private static final int LONGEST_PROGRESS = 500;
    private static final Pattern UNCLEAN = Pattern.compile("[\\p{Cc}\\p{Cs}&&[^\\n\\r\\t]]");

    private final Resource runner;

    RunnerCalls(Transport transport) {
        this.runner = new Resource(transport, "/v1/runner");
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

    private record ClaimedJobs(@Nullable List<Claim> jobs) {}

    /// @param attemptNumber of the attempt; a claim by another program with the same key has another number
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

    /// Returns the queue with this name.
    ///
    /// @param named id or slug
    Runner.QueueEntry queue(String named) {
        return runner.list("/queues", Runner.QueueEntry.class).stream()
                .filter(queue ->
                        queue.slug().equals(named) || queue.id().toString().equals(named))
                .findFirst()
                .orElseThrow(() -> new SheafException.NotFound(
                        "there is no queue " + named + ", or this credential may not work on it",
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

    /// Claims jobs in one request, which waits until there is one.
    ///
    /// @param lease null: the queue's
    /// @param most limit of jobs, up to [#MOST]
    /// @return empty if there was no job in time
    List<Claim> claim(UUID queue, @Nullable UUID worker, @Nullable Duration lease, int most, Duration wait) {
        var request = new ClaimRequest(queue, lease == null ? null : lease.toMillis(), worker, most);
        var call = runner.call("POST", "/jobs:claim?wait_timeout_seconds=" + wait.toSeconds())
                .sendingJson(request)
                .header("Accept", Transport.JSON)
                .expecting(200, 204)
                .once()
                .answeredWithin(wait.plus(PATIENCE));
        try (var reply = runner.transport().once(call)) {
            if (reply.status() == 204) {
                return List.of();
            }
            byte[] json = reply.bytes(Transport.LONGEST_JSON);
            var jobs = Json.read(json, ClaimedJobs.class).jobs();
            return jobs == null ? List.of(checked(Json.read(json, Claim.class))) : checked(jobs);
        } catch (IOException e) {
            throw runner.transport().broken(e);
        }
    }

    private static List<Claim> checked(List<Claim> claims) {
        claims.forEach(RunnerCalls::checked);
        return claims;
    }

    private static Claim checked(Claim claim) {
        Json.present(Json.present(claim.job(), "job").id(), "job.id");
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

    /// Converts text to what a registry accepts: limited in length, without control characters except line ends
    /// and tabs, without half surrogate pairs.
    private static String cut(String text, int most) {
        String clean = UNCLEAN.matcher(text).replaceAll("\uFFFD");
        if (clean.length() <= most) {
            return clean;
        }
        return clean.substring(0, Character.isHighSurrogate(clean.charAt(most - 1)) ? most - 1 : most);
    }
}
