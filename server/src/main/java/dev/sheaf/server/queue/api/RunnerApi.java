package dev.sheaf.server.queue.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.engine.http.WaitingLimit;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.queue.Instruction;
import dev.sheaf.model.wire.queue.Runner;
import dev.sheaf.server.auth.JobUses;
import dev.sheaf.server.auth.SessionRecord;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.Habitats;
import dev.sheaf.server.queue.NumberBounds;
import dev.sheaf.server.queue.QueueInstructions;
import dev.sheaf.server.queue.QueueStatus;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.claim.ClaimLeases;
import dev.sheaf.server.queue.claim.ClaimRequest;
import dev.sheaf.server.queue.claim.Claims;
import dev.sheaf.server.queue.job.JobRow;
import dev.sheaf.server.queue.job.NewJob;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The API that worker programs call.
public final class RunnerApi {
    private static final String JOB = "/v1/runner/jobs/{job_id}";
    private static final String VERSION = "1";
    private static final int REFRESH_SECONDS = 300;
    private static final int LONGEST_WAIT = 55;
    private static final int MAX_CODE = 100;
    private static final int MAX_TRY = 1_000_000;
    private static final int MAX_MESSAGE = 1_000;
    private static final Function<String, UUID> ID = PathId.of("job %s");

    private final Habitats habitats;
    private final Queues queues;
    private final QueueInstructions instructions;
    private final Claims claims;
    private final ClaimLeases leases;
    private final WaitingLimit seats;
    private final InstantSource clock;

    /// The features that this API uses.
    public record Parts(
            Habitats habitats, Queues queues, QueueInstructions instructions, Claims claims, ClaimLeases leases) {}

    /// @param seats for waiting requests
    public RunnerApi(Parts parts, WaitingLimit seats, InstantSource clock) {
        this.habitats = parts.habitats();
        this.queues = parts.queues();
        this.instructions = parts.instructions();
        this.claims = parts.claims();
        this.leases = parts.leases();
        this.seats = seats;
        this.clock = clock;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/v1/runner/config", RoutePermission.READ, this::config),
                new Route(GET, "/v1/runner/habitats", RoutePermission.READ, this::habitats),
                new Route(GET, "/v1/runner/queues", RoutePermission.READ, this::queues),
                new Route(
                        GET,
                        "/v1/runner/queues/{queue_id}/instruction-availability",
                        RoutePermission.READ,
                        this::availability),
                new Route(POST, "/v1/runner/jobs:claim", RoutePermission.WRITE, this::claim)
                        .waiting()
                        .open(JobUses.WORK),
                new Route(POST, JOB + ":start", RoutePermission.WRITE, call -> shown(call, leases::start))
                        .open(JobUses.WORK),
                new Route(POST, JOB + ":heartbeat", RoutePermission.WRITE, call -> shown(call, leases::heartbeat))
                        .open(JobUses.WORK),
                new Route(POST, JOB + ":complete", RoutePermission.WRITE, this::complete).open(JobUses.WORK),
                new Route(POST, JOB + ":fail", RoutePermission.WRITE, this::fail).open(JobUses.WORK),
                new Route(POST, JOB + ":release", RoutePermission.WRITE, call -> shown(call, leases::release))
                        .open(JobUses.WORK),
                new Route(POST, JOB + ":progress", RoutePermission.WRITE, this::progress).open(JobUses.WORK));
    }

    private Answer config(Call call) {
        var organization = call.origin().organizationId();
        if (organization.equals(SessionRecord.NO_ORGANIZATION)) {
            throw new Problem.NotFound("the organization of this credential (it belongs to no organization)").raise();
        }
        return Answer.ok(new Runner.Config(VERSION, organization, clock.instant(), REFRESH_SECONDS, Map.of()));
    }

    private Answer habitats(Call call) {
        var paging = PageRequest.of(call);
        var found = habitats.list(call.origin().caller(), paging.after(), paging.fetch());
        return paging.answer(
                found,
                row -> row.id().toString(),
                row -> new Runner.HabitatEntry(row.id(), row.slug(), row.name(), row.status(), row.habitatType()));
    }

    private Answer queues(Call call) {
        var status = call.query("status", QueueStatus::parse).orElse(null);
        var habitat = call.query("habitat_id", QueuesApi::id).orElse(null);
        var paging = PageRequest.of(call, "status", "habitat_id");
        var found = queues.list(call.origin().caller(), status, habitat, null, paging.after(), paging.fetch());
        return paging.answer(
                found,
                row -> row.id().toString(),
                row -> new Runner.QueueEntry(row.id(), row.slug(), row.name(), row.status(), row.habitatId()));
    }

    private Answer availability(Call call) {
        var queue = queues.find(call.origin().caller(), call.parameter("queue_id"));
        @Nullable Instruction active = instructions.active(queue);
        return Answer.ok(
                active == null
                        ? new Runner.InstructionAvailability(queue.id(), false, null, null, null)
                        : new Runner.InstructionAvailability(
                                queue.id(), true, active.id(), active.name(), active.slug()));
    }

    private Answer claim(Call call) {
        var request = call.jsonOrNothing().to(ClaimRequest::parse);
        var wait = call.query("wait_timeout_seconds", RunnerApi::wait).orElse(Duration.ZERO);
        var poll = new ClaimPoll(claims, call, request, seats, wait);
        boolean waits = false;
        try {
            var answer = poll.answer();
            waits = answer.body() instanceof Answer.Body.Later;
            return answer;
        } finally {
            if (!waits) {
                poll.close();
            }
        }
    }

    private static Duration wait(String text) {
        if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) > LONGEST_WAIT) {
            throw Problem.invalid("range", "must be a number of seconds from 0 to " + LONGEST_WAIT);
        }
        return Duration.ofSeconds(Integer.parseInt(text));
    }

    private static UUID id(Call call) {
        return call.parameter("job_id", ID);
    }

    /// Reads the job from the path, and the attempt that the body may name.
    private static ClaimLeases.Said said(Call call, RequestFields fields) {
        Integer attempt =
                fields.has("attemptNumber") ? (Integer) NumberBounds.of(fields, "attemptNumber", 1, MAX_TRY, 1) : null;
        return new ClaimLeases.Said(call.origin().caller(), id(call), attempt);
    }

    private interface Verb {
        Object apply(ClaimLeases.Said said);
    }

    private static Answer shown(Call call, Verb verb) {
        return Answer.ok(verb.apply(call.jsonOrNothing().to(fields -> said(call, fields))));
    }

    private Answer complete(Call call) {
        var fields = call.jsonOrNothing();
        var output = fields.json("outputData", NewJob.MAX_DATA);
        var said = said(call, fields);
        fields.finish();
        return Answer.ok(leases.complete(said, output));
    }

    private record Failed(ClaimLeases.Said said, JobRow.Failure failure, boolean again) {
        static Failed parse(Call call, RequestFields fields) {
            Boolean again = fields.flag("shouldRetry");
            if (!fields.has("shouldRetry")) {
                fields.error("shouldRetry", "required", "is required");
            }
            return new Failed(
                    RunnerApi.said(call, fields),
                    new JobRow.Failure(
                            fields.optional("errorCode", MAX_CODE),
                            fields.optional("errorMessage", JobRow.Failure.MAX_MESSAGE),
                            fields.json("errorDetails", JobRow.Failure.MAX_MESSAGE)),
                    Boolean.TRUE.equals(again));
        }
    }

    private Answer fail(Call call) {
        var failed = call.jsonOrNothing().to(fields -> Failed.parse(call, fields));
        return Answer.ok(leases.fail(failed.said(), failed.failure(), failed.again()));
    }

    private Answer progress(Call call) {
        var fields = call.jsonOrNothing();
        Integer percent = fields.has("percent") ? (Integer) NumberBounds.of(fields, "percent", 0, 100, 0) : null;
        String message = fields.optional("message", MAX_MESSAGE);
        if (!fields.has("percent") && !fields.has("message")) {
            fields.error("percent", "required", "or \"message\" is required");
        }
        var said = said(call, fields);
        fields.finish();
        return Answer.ok(leases.progress(said, percent, message));
    }
}
