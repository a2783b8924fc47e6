package dev.sheaf.server.console.worker;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Worker;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.LongText;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.work.Looks;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.console.work.Question;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import java.util.List;

/// The programs that work on jobs.
public final class WorkerPages {
    static final String NAV = "workers";

    private static final String ALL = "/organizations/{org_id}/workers";
    private static final String ONE = ALL + "/{worker_id}";
    private static final int LATEST = 20;

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(ALL, page -> list(new OrgCall(page))),
                pages.own(ONE, page -> show(new OrgCall(page))),
                pages.own(ONE + ":deregister", page -> ask(new OrgCall(page), FormErrors.NONE)),
                pages.form(ONE + ":deregister", page -> deregister(new OrgCall(page), page)));
    }

    private Answer list(OrgCall call) {
        var path = call.path("/workers");
        String machine = "GET " + path;
        var found = call.api()
                .list(
                        Worker.class,
                        path.with("limit", OrgCall.SHOWN)
                                .with("cursor", call.page().query("cursor")));
        return call.view("Workers", "worker/workers", NAV)
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

    private static Worker worker(OrgCall call) {
        return call.api().get(Worker.class, path(call));
    }

    /// Returns the name of a worker for people.
    public static String name(Worker worker) {
        String name = worker.name();
        return Looks.brief(name == null || name.isBlank() ? worker.instanceId() : name);
    }

    private Answer show(OrgCall call) {
        var worker = worker(call);
        var jobs = call.api()
                .list(
                        Job.class,
                        call.path("/jobs").with("workerId", worker.workerId()).with("limit", LATEST));
        return call.view("Worker " + name(worker), "worker/worker", NAV)
                .with("worker", worker)
                .with("metadata", LongText.json(worker.clientMetadata(), LongText.MOST))
                .with("jobs", jobs.data())
                .forMachines("GET " + path(call), "sheaf queue worker list")
                .show();
    }

    private Answer ask(OrgCall call, FormErrors errors) {
        call.permit(Method.DELETE, path(call));
        var worker = worker(call);
        String place = call.link("/workers/{}", worker.workerId());
        var question = new Question(
                "Deregister " + name(worker) + "?",
                "Its registration ends. Its last heartbeat was before "
                        + Show.full(worker.heartbeatDeadlineAt()) + "; " + Show.number(worker.jobsCompleted())
                        + " of its jobs completed.",
                List.of("If the program still runs, it must register again."),
                place + ":deregister",
                "Deregister " + name(worker),
                place);
        return question.ask(call, NAV, "", errors);
    }

    private Answer deregister(OrgCall call, PageCall page) {
        page.form();
        try {
            call.api().delete(path(call));
        } catch (ProblemException e) {
            return ask(call, PageCall.errors(e.problem()));
        }
        return page.seeOther(call.link("/workers"), Notice.ok("The worker is no longer registered."));
    }
}
