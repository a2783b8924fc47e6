package dev.sheaf.server.console.queue;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.work.Filled;
import dev.sheaf.server.console.work.Looks;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.console.work.Said;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Ended jobs: dead letters, which can be retried, and purging.
public final class EndedPages {
    private static final List<String> DEAD = List.of("failed", "dead");
    private static final int MOST_OF_MESSAGES = 16 << 10;
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
        String error = Show.text(call.page().query("error"));
        var path = call.path("/queues/{}/jobs", queue.slug())
                .with("status", String.join(",", DEAD))
                .with("errorCode", error);
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
                .with("said", Said.of(found.data(), Job::errorMessage, MOST_OF_MESSAGES))
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
                .forMachines("POST " + call.path("/queues/{}:purge", queue.slug()), command(queue, form))
                .refused(errors)
                .show();
    }

    /// Returns the command for what is chosen on the page.
    private static String command(Queue queue, Filled form) {
        var states = form.all("status").stream().filter(Looks.ENDED::contains).toList();
        return "sheaf queue purge " + queue.slug() + " --status "
                + String.join(",", states.isEmpty() ? List.of("completed") : states);
    }

    private Answer purge(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        var queue = QueuePages.queue(call);
        if (!form.of("typed").strip().equals(queue.slug())) {
            return ask(
                    call,
                    form,
                    FormErrors.of("typed", "Type the name of the queue, " + queue.slug() + ", to confirm."));
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
