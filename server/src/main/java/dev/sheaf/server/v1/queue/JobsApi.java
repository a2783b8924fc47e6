package dev.sheaf.server.v1.queue;

import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.server.auth.JobUses;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.input.Fields;
import dev.sheaf.server.input.Timestamps;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.job.EndedJobs;
import dev.sheaf.server.queue.job.Enqueue;
import dev.sheaf.server.queue.job.JobList;
import dev.sheaf.server.queue.job.Jobs;
import dev.sheaf.server.queue.job.NewJob;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Jobs for the members of their organization.
public final class JobsApi {
    private static final String OF_QUEUE = QueuesApi.ONE + "/jobs";
    private static final String ALL = "/v1/organizations/{org_id}/jobs";
    private static final String ONE = ALL + "/{job_id}";
    private static final String[] FILTERS = {
        "status", "jobType", "errorCode", "createdAfter", "createdBefore", "workerId", "q", "order"
    };
    private static final int COPIES = 4; // a text takes up to two bytes per byte of UTF-8, plus its JSON
    private static final Function<String, UUID> ID = PathId.of("job %s");

    private final Queues queues;
    private final Enqueue enqueue;
    private final Jobs jobs;

    public JobsApi(Queues queues, Enqueue enqueue, Jobs jobs) {
        this.queues = queues;
        this.enqueue = enqueue;
        this.jobs = jobs;
    }

    public List<Route> routes() {
        return List.of(
                new Route(POST, OF_QUEUE, Need.WRITE, this::create).open(JobUses.ENQUEUE),
                new Route(
                        GET,
                        OF_QUEUE,
                        Need.READ,
                        call -> list(call, QueuesApi.queue(call, queues).id())),
                new Route(POST, OF_QUEUE + ":retry", Need.WRITE, this::retryAll),
                new Route(POST, QueuesApi.ONE + ":purge", Need.WRITE, this::purge),
                new Route(GET, ALL, Need.READ, call -> list(call, null)),
                new Route(GET, ONE, Need.READ, this::get),
                new Route(POST, ONE + ":cancel", Need.WRITE, this::cancel),
                new Route(POST, ONE + ":retry", Need.WRITE, this::retry),
                new Route(GET, ONE + "/events", Need.READ, this::events));
    }

    private static UUID id(Call call) {
        return call.parameter("job_id", ID);
    }

    private Answer create(Call call) {
        var fields = call.json();
        boolean isBatch = NewJob.isBatch(fields);
        var given = fields.to(NewJob::parseAll);
        var enqueued = enqueue.enqueue(call.origin(), call.parameter("queue_id"), given, isBatch);
        if (isBatch) {
            return Answer.created(
                    call.rawPath(),
                    new Job.Batch(enqueued.stream().map(Enqueue.Enqueued::job).toList()));
        }
        var only = enqueued.getFirst();
        String place = "/v1/organizations/" + call.parameter("org_id") + "/jobs/"
                + only.job().id();
        return only.isNew() ? Answer.created(place, only.job()) : Answer.ok(only.job());
    }

    private Answer list(Call call, @Nullable UUID queue) {
        var caller = call.origin().caller();
        String order = call.query("order").orElse("created");
        if (!order.equals("created") && !order.equals("updated")) {
            throw new Problem.ValidationFailed(
                            List.of(new Problem.FieldError("order", "unknown", "must be created or updated")))
                    .raise();
        }
        var wanted = new JobList(
                queue,
                queue == null ? jobs.seen(caller) : null,
                states(call),
                call.query("jobType", QueuesApi::text).orElse(null),
                call.query("errorCode", QueuesApi::text).orElse(null),
                call.query("createdAfter", Timestamps::parse).orElse(null),
                call.query("createdBefore", Timestamps::parse).orElse(null),
                call.query("workerId", QueuesApi::id).orElse(null),
                call.query("q", QueuesApi::text).orElse(null),
                order.equals("updated"));
        var paging = Paging.of(call, FILTERS);
        var part = jobs.list(
                caller,
                wanted,
                paging.after(),
                paging.limit(),
                bytes -> call.borrow("the list of jobs", bytes, COPIES));
        return paging.answer(part.jobs(), part.last());
    }

    private static List<JobState> states(Call call) {
        return call.queryAll("status").stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(word -> Call.named("status", word, JobState::parse))
                .distinct()
                .toList();
    }

    private Answer get(Call call) {
        String include = call.query("include").orElse("");
        if (!include.isEmpty() && !include.equals("attempts")) {
            throw new Problem.ValidationFailed(
                            List.of(new Problem.FieldError("include", "unknown", "must be attempts")))
                    .raise();
        }
        return Answer.ok(jobs.get(call.origin().caller(), id(call), include.equals("attempts"), borrowed(call)));
    }

    private static LongConsumer borrowed(Call call) {
        return bytes -> call.borrow("the tries of the job", bytes, COPIES);
    }

    private Answer cancel(Call call) {
        return Answer.ok(jobs.cancel(call.origin(), id(call)));
    }

    private Answer retry(Call call) {
        return Answer.ok(jobs.retry(call.origin(), id(call)));
    }

    private Answer events(Call call) {
        return Answer.ok(Page.of(jobs.events(call.origin().caller(), id(call), borrowed(call)), null));
    }

    /// Reads which ended jobs a bulk change concerns.
    ///
    /// @param allowed the states of jobs that are accepted
    private static EndedJobs which(Fields fields, List<JobState> allowed) {
        var words = fields.texts("status");
        if (words == null || words.isEmpty()) {
            fields.error("status", "required", "is required: a list of one or more of " + names(allowed));
        }
        var states = new LinkedHashSet<JobState>();
        for (int i = 0; words != null && i < words.size(); i++) {
            String word = words.get(i);
            states.add(fields.checked("status/" + i, () -> state(word, allowed), allowed.getFirst()));
        }
        return new EndedJobs(
                List.copyOf(states),
                fields.optional("jobType", 200),
                fields.optional("errorCode", 200),
                ids(fields),
                fields.optional("before", Timestamps::parse));
    }

    private static @Nullable List<UUID> ids(Fields fields) {
        var words = fields.texts("ids");
        if (words == null) {
            return null;
        }
        if (words.isEmpty() || words.size() > EndedJobs.MOST_IDS) {
            fields.error("ids", "range", "must have 1 to " + EndedJobs.MOST_IDS + " ids of jobs");
            return null;
        }
        var ids = new LinkedHashSet<UUID>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            ids.add(fields.checked("ids/" + i, () -> QueuesApi.id(word), new UUID(0, 0)));
        }
        return List.copyOf(ids);
    }

    private static JobState state(String word, List<JobState> allowed) {
        return allowed.stream()
                .filter(state -> state.toString().equals(word))
                .findFirst()
                .orElseThrow(() -> Problem.invalid("unknown", "may only contain " + names(allowed)));
    }

    private static String names(List<JobState> states) {
        return String.join(", ", states.stream().map(JobState::toString).toList());
    }

    private Answer retryAll(Call call) {
        var allowed = List.of(JobState.FAILED, JobState.DEAD, JobState.CANCELLED);
        var which = call.json().to(fields -> which(fields, allowed));
        return Answer.ok(new Job.Count(jobs.retryAll(call.origin(), QueuesApi.queue(call, queues), which)));
    }

    private Answer purge(Call call) {
        var allowed = List.of(JobState.COMPLETED, JobState.FAILED, JobState.DEAD, JobState.CANCELLED);
        var which = call.json().to(fields -> which(fields, allowed));
        return Answer.ok(new Job.Count(jobs.purge(call.origin(), QueuesApi.queue(call, queues), which)));
    }
}
