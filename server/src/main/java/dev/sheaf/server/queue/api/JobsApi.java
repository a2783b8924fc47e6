package dev.sheaf.server.queue.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.server.auth.JobUses;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.job.JobEnqueue;
import dev.sheaf.server.queue.job.JobList;
import dev.sheaf.server.queue.job.JobSelection;
import dev.sheaf.server.queue.job.Jobs;
import dev.sheaf.server.queue.job.NewJob;
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
    private final JobEnqueue enqueue;
    private final Jobs jobs;

    public JobsApi(Queues queues, JobEnqueue enqueue, Jobs jobs) {
        this.queues = queues;
        this.enqueue = enqueue;
        this.jobs = jobs;
    }

    public List<Route> routes() {
        return List.of(
                new Route(POST, OF_QUEUE, RoutePermission.WRITE, this::create).open(JobUses.ENQUEUE),
                new Route(
                        GET,
                        OF_QUEUE,
                        RoutePermission.READ,
                        call -> list(call, QueuesApi.queue(call, queues).id())),
                new Route(POST, OF_QUEUE + ":retry", RoutePermission.WRITE, this::retryAll),
                new Route(POST, OF_QUEUE + ":cancel", RoutePermission.WRITE, this::cancelAll),
                new Route(POST, QueuesApi.ONE + ":purge", RoutePermission.WRITE, this::purge),
                new Route(GET, ALL, RoutePermission.READ, call -> list(call, null)),
                new Route(GET, ONE, RoutePermission.READ, this::get),
                new Route(POST, ONE + ":cancel", RoutePermission.WRITE, this::cancel),
                new Route(POST, ONE + ":retry", RoutePermission.WRITE, this::retry),
                new Route(GET, ONE + "/events", RoutePermission.READ, this::events));
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
                    new Job.Batch(
                            enqueued.stream().map(JobEnqueue.Enqueued::job).toList()));
        }
        var only = enqueued.getFirst();
        String place = "/v1/organizations/" + call.parameter("org_id") + "/jobs/"
                + only.job().id();
        return only.isNew() ? Answer.created(place, only.job()) : Answer.ok(only.job());
    }

    private Answer list(Call call, @Nullable UUID queue) {
        var caller = call.origin().caller();
        var wanted =
                JobList.read(queue, queue == null ? jobs.seen(caller) : null, call.queryAll("status"), call::query);
        var paging = PageRequest.of(call, FILTERS);
        var part = jobs.list(
                caller,
                wanted,
                paging.after(),
                paging.limit(),
                bytes -> call.borrow("the list of jobs", bytes, COPIES));
        return paging.answer(part.jobs(), part.last());
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

    private Answer retryAll(Call call) {
        var which = call.json().to(JobSelection::toRetry);
        return Answer.ok(jobs.retryAll(call.origin(), QueuesApi.queue(call, queues), which));
    }

    private Answer cancelAll(Call call) {
        var which = call.json().to(JobSelection::toCancel);
        return Answer.ok(jobs.cancelAll(call.origin(), QueuesApi.queue(call, queues), which));
    }

    private Answer purge(Call call) {
        var which = call.json().to(JobSelection::toPurge);
        return Answer.ok(new Job.Count(jobs.purge(call.origin(), QueuesApi.queue(call, queues), which)));
    }
}
