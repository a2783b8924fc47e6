package dev.sheaf.server.queue.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.FilledForm;
import dev.sheaf.server.console.work.JobFormat;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.console.work.WorkerMessage;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.job.JobList;
import dev.sheaf.server.queue.job.JobSelection;
import dev.sheaf.server.queue.job.Jobs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Ended jobs: dead letters, which can be retried, and purging.
public final class EndedPages {
    private static final List<String> DEAD = List.of("failed", "dead");
    private static final int MOST_OF_MESSAGES = 16 << 10;
    private static final String[] FIELDS = {"status", "jobType", "before"};

    private final Queues queues;
    private final Jobs jobs;
    private final BulkPages bulk;

    public EndedPages(Queues queues, Jobs jobs, BulkPages bulk) {
        this.queues = queues;
        this.jobs = jobs;
        this.bulk = bulk;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(
                        QueuePages.ONE + "/dead",
                        RoutePermission.READ,
                        page -> dead(new OrgCall(page), retried(), FormErrors.NONE)),
                pages.form(
                        QueuePages.ONE + "/jobs:retry", RoutePermission.WRITE, page -> retry(new OrgCall(page), page)),
                pages.asking(
                        QueuePages.ONE + ":purge",
                        RoutePermission.WRITE,
                        page -> ask(new OrgCall(page), purged(page), FormErrors.NONE)),
                pages.form(QueuePages.ONE + ":purge", RoutePermission.WRITE, page -> purge(new OrgCall(page), page)));
    }

    private static FilledForm retried() {
        return FilledForm.NOTHING.with("status", DEAD);
    }

    private static FilledForm purged(PageCall page) {
        String status = page.query("status");
        return FilledForm.NOTHING.with("status", status == null ? "completed" : status);
    }

    private Answer dead(OrgCall call, FilledForm form, FormErrors errors) {
        var queue = QueuePages.queue(call, queues);
        String place = QueuePages.place(call, queue);
        String error = PageFormat.text(call.page().query("error"));
        var path = call.path("/queues/{}/jobs", queue.slug())
                .with("status", String.join(",", DEAD))
                .with("errorCode", error);
        String machine = "GET " + path;
        var query = error.isEmpty() ? Map.of("order", "updated") : Map.of("order", "updated", "errorCode", error);
        var wanted = JobList.read(queue.id(), null, DEAD, name -> Optional.ofNullable(query.get(name)));
        var found = call.jobs(jobs, wanted, call.page().paging(OrgCall.SHOWN, "error"));
        return call.view("Dead letters of " + queue.slug(), "queue/pages/dead", QueuePages.NAV)
                .with("crumbs", QueuePages.crumbs(call, queue))
                .with("queue", queue)
                .with("place", place)
                .with("form", form)
                .with("errors", errors)
                .with("jobs", found.data())
                .with("said", WorkerMessage.of(found.data(), Job::errorMessage, MOST_OF_MESSAGES))
                .with("error", error)
                .with(
                        "next",
                        OrgCall.next(
                                ApiPath.of(place + "/dead").with("error", error),
                                found.meta().nextCursor()))
                .forMachines(machine, "sheaf jobs retry --all " + queue.slug())
                .refused(errors)
                .show();
    }

    private static Map<String, @Nullable Object> some(FilledForm form) {
        var members = form.members(form::text, "jobType");
        members.put("status", form.all("status"));
        members.put("before", form.time("before"));
        return members;
    }

    private Answer retry(OrgCall call, PageCall page) {
        if (BulkPages.isFromList(page)) {
            return bulk.change(call, page, BulkPages.Verb.RETRY);
        }
        var form = FilledForm.of(page.form());
        String id = page.parameter("queue_id");
        try {
            var which = RequestFields.form(some(form)).to(JobSelection::toRetry);
            var changed = jobs.retryAll(call.origin(), QueuePages.row(call, queues), which);
            return page.seeOther(call.link("/queues/{}/dead", id), BulkPages.notice(changed, BulkPages.Verb.RETRY));
        } catch (ProblemException e) {
            return dead(call, form, PageCall.errors(e.problem(), FIELDS));
        }
    }

    private Answer ask(OrgCall call, FilledForm form, FormErrors errors) {
        var queue = QueuePages.queue(call, queues);
        return call.view("Purge " + queue.slug(), "queue/pages/purge", QueuePages.NAV)
                .with("queue", queue)
                .with("place", QueuePages.place(call, queue))
                .with("form", form)
                .with("errors", errors)
                .forMachines("POST " + call.path("/queues/{}:purge", queue.slug()), command(queue, form))
                .refused(errors)
                .show();
    }

    /// Returns the command for what is chosen on the page.
    private static String command(Queue queue, FilledForm form) {
        var states =
                form.all("status").stream().filter(JobFormat.ENDED::contains).toList();
        return "sheaf queue purge " + queue.slug() + " --status "
                + String.join(",", states.isEmpty() ? List.of("completed") : states);
    }

    private Answer purge(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        var queue = QueuePages.queue(call, queues);
        if (!form.of("typed").strip().equals(queue.slug())) {
            return ask(
                    call,
                    form,
                    FormErrors.of("typed", "Type the name of the queue, " + queue.slug() + ", to confirm."));
        }
        try {
            var which = RequestFields.form(some(form)).to(JobSelection::toPurge);
            long count = jobs.purge(call.origin(), QueuePages.row(call, queues), which);
            return page.seeOther(
                    QueuePages.place(call, queue),
                    PageNotice.ok(PageFormat.count(count, "job is", "jobs are") + " purged."));
        } catch (ProblemException e) {
            return ask(call, form, PageCall.errors(e.problem(), FIELDS));
        }
    }
}
