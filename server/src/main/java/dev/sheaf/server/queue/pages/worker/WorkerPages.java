package dev.sheaf.server.queue.pages.worker;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Worker;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.LongText;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.ConfirmPage;
import dev.sheaf.server.console.work.JobFormat;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.claim.WorkerPrograms;
import dev.sheaf.server.queue.job.JobList;
import dev.sheaf.server.queue.job.Jobs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/// The programs that work on jobs.
public final class WorkerPages {
    static final String NAV = "workers";

    private static final String ALL = "/organizations/{org_id}/workers";
    private static final String ONE = ALL + "/{worker_id}";
    private static final int LATEST = 20;

    private static final Function<String, UUID> ID = PathId.of("worker %s");

    private final WorkerPrograms workers;
    private final Jobs jobs;

    public WorkerPages(WorkerPrograms workers, Jobs jobs) {
        this.workers = workers;
        this.jobs = jobs;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ALL, RoutePermission.READ, page -> list(new OrgCall(page))),
                pages.own(ONE, RoutePermission.READ, page -> show(new OrgCall(page))),
                pages.asking(
                        ONE + ":deregister", RoutePermission.WRITE, page -> ask(new OrgCall(page), FormErrors.NONE)),
                pages.form(ONE + ":deregister", RoutePermission.WRITE, page -> deregister(new OrgCall(page), page)));
    }

    private Answer list(OrgCall call) {
        var path = call.path("/workers");
        String machine = "GET " + path;
        var found = call.page()
                .paging(OrgCall.SHOWN)
                .list((after, limit) -> workers.list(call.caller(), after, limit), Worker::workerId);
        return call.view("Workers", "queue/pages/worker/workers", NAV)
                .with("workers", found.data())
                .with(
                        "next",
                        OrgCall.next(
                                ApiPath.of(call.link("/workers")), found.meta().nextCursor()))
                .forMachines(machine, "sheaf queue worker list")
                .show();
    }

    private static ApiPath path(OrgCall call) {
        return call.path("/workers/{}", call.page().parameter("worker_id"));
    }

    private Worker worker(OrgCall call) {
        return workers.get(call.caller(), call.page().parameter("worker_id", ID));
    }

    /// Returns the name of a worker for people.
    public static String name(Worker worker) {
        String name = worker.name();
        return JobFormat.brief(name == null || name.isBlank() ? worker.instanceId() : name);
    }

    private Answer show(OrgCall call) {
        var worker = worker(call);
        var query = Map.of("workerId", worker.workerId().toString());
        var wanted =
                JobList.read(null, jobs.seen(call.caller()), List.of(), name -> Optional.ofNullable(query.get(name)));
        var paging = PageRequest.of(call.page().call(), "jobs", LATEST, null);
        var latest = call.jobs(jobs, wanted, paging);
        call.naming(Stream.of(OrgCall.worker(worker.workerId())));
        return call.view("Worker " + name(worker), "queue/pages/worker/worker", NAV)
                .with("worker", worker)
                .with("metadata", LongText.json(worker.clientMetadata(), LongText.MOST))
                .with("jobs", latest.data())
                .forMachines("GET " + path(call), "sheaf queue worker list")
                .show();
    }

    private Answer ask(OrgCall call, FormErrors errors) {
        var worker = worker(call);
        String place = call.link("/workers/{}", worker.workerId());
        var question = new ConfirmPage(
                "Deregister " + name(worker) + "?",
                "Its registration ends. Its last heartbeat was before "
                        + PageFormat.full(worker.heartbeatDeadlineAt()) + "; "
                        + PageFormat.number(worker.jobsCompleted())
                        + " of its jobs completed.",
                List.of("If the program still runs, it must register again."),
                place + ":deregister",
                "Deregister " + name(worker),
                place);
        return question.ask(call, NAV, "", errors);
    }

    private Answer deregister(OrgCall call, PageCall page) {
        try {
            workers.delete(call.origin(), page.parameter("worker_id", ID), any -> {});
        } catch (ProblemException e) {
            return ask(call, PageCall.errors(e.problem()));
        }
        return page.seeOther(call.link("/workers"), PageNotice.ok("The worker is no longer registered."));
    }
}
