package dev.sheaf.server.console.queue;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.work.Filled;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Jobs that have ended: dead letters, which are tried again, and what is purged.
public final class EndedPages {
    private static final List<String> DEAD = List.of("failed", "dead");
    private static final String[] FIELDS = {"status", "jobType", "before"};

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(QueuePages.ONE + "/dead", page -> dead(new OrgCall(page), retried(), FormErrors.NONE)),
                pages.form(QueuePages.ONE + "/jobs:retry", page -> retry(new OrgCall(page), page)),
                pages.own(QueuePages.ONE + ":purge", page -> ask(new OrgCall(page), purged(page), FormErrors.NONE)),
                pages.form(QueuePages.ONE + ":purge", page -> purge(new OrgCall(page), page)));
    }

    private static Filled retried() {
        return Filled.NOTHING.with("status", DEAD);
    }

    private static Filled purged(PageCall page) {
        String status = page.query("status");
        return Filled.NOTHING.with("status", status == null ? "completed" : status);
    }

    private Answer dead(OrgCall call, Filled form, FormErrors errors) {
        var queue = QueuePages.queue(call);
        String place = QueuePages.place(call, queue);
        var path = call.path("/queues/{}/jobs", queue.slug()).with("status", String.join(",", DEAD));
        String machine = "GET " + path;
        var found = call.api()
                .list(
                        Job.class,
                        path.with("order", "updated")
                                .with("limit", OrgCall.SHOWN)
                                .with("cursor", call.page().query("cursor")));
        return call.view("Dead letters of " + queue.slug(), "queue/dead", QueuePages.NAV)
                .with("crumbs", QueuePages.crumbs(call, queue))
                .with("queue", queue)
                .with("place", place)
                .with("form", form)
                .with("errors", errors)
                .with("jobs", found.data())
                .with(
                        "next",
                        OrgCall.next(ApiPath.of(place + "/dead"), found.meta().nextCursor()))
                .forMachines(machine, "sheaf jobs retry --all " + queue.slug())
                .refused(errors)
                .show();
    }

    private static Map<String, @Nullable Object> some(Filled form) {
        var members = form.members(form::text, "jobType");
        members.put("status", form.all("status"));
        members.put("before", form.time("before"));
        return members;
    }

    private Answer retry(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        String id = page.parameter("queue_id");
        try {
            var count = call.api().post(Job.Count.class, call.path("/queues/{}/jobs:retry", id), some(form));
            return page.seeOther(
                    call.link("/queues/{}/dead", id),
                    Notice.ok(Show.count(count.count(), "job is", "jobs are") + " tried again."));
        } catch (ProblemException e) {
            return dead(call, form, PageCall.errors(e.problem(), FIELDS));
        }
    }

    private Answer ask(OrgCall call, Filled form, FormErrors errors) {
        var queue = QueuePages.queue(call);
        call.permit(Method.POST, call.path("/queues/{}:purge", queue.slug()));
        return call.view("Purge " + queue.slug(), "queue/purge", QueuePages.NAV)
                .with("queue", queue)
                .with("place", QueuePages.place(call, queue))
                .with("form", form)
                .with("errors", errors)
                .forMachines(
                        "POST " + call.path("/queues/{}:purge", queue.slug()),
                        "sheaf queue purge " + queue.slug() + " --status completed")
                .refused(errors)
                .show();
    }

    private Answer purge(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        var queue = QueuePages.queue(call);
        if (!form.of("typed").strip().equals(queue.slug())) {
            return ask(call, form, FormErrors.of("typed", "must be " + queue.slug()));
        }
        try {
            var count = call.api().post(Job.Count.class, call.path("/queues/{}:purge", queue.slug()), some(form));
            return page.seeOther(
                    QueuePages.place(call, queue),
                    Notice.ok(Show.count(count.count(), "job is", "jobs are") + " purged."));
        } catch (ProblemException e) {
            return ask(call, form, PageCall.errors(e.problem(), FIELDS));
        }
    }
}
