package dev.sheaf.server.console.queue;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Habitat;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.model.wire.queue.QueueStats;
import dev.sheaf.server.console.Api;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.work.Crumb;
import dev.sheaf.server.console.work.Filled;
import dev.sheaf.server.console.work.Looks;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.console.work.Question;
import dev.sheaf.server.console.work.Race;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Queues: the list, a queue with its jobs, its settings and its deletion.
public final class QueuePages {
    static final String ALL = "/organizations/{org_id}/queues";
    static final String ONE = ALL + "/{queue_id}";
    static final String NAV = "queues";

    private static final int MOST_HABITATS = 200;

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(ALL, page -> list(new OrgCall(page))),
                pages.own(ALL + ":new", page -> begin(new OrgCall(page))),
                pages.form(ALL, page -> create(new OrgCall(page), page)),
                pages.own(ONE, page -> show(new OrgCall(page), page)),
                pages.form(ONE + ":pause", page -> turn(new OrgCall(page), page, "pause", "hands out no jobs.")),
                pages.form(ONE + ":resume", page -> turn(new OrgCall(page), page, "resume", "hands out jobs.")),
                pages.form(
                        ONE + ":archive",
                        page -> turn(new OrgCall(page), page, "archive", "takes no jobs and hands out none.")),
                pages.own(ONE + "/settings", page -> settings(new OrgCall(page))),
                pages.form(ONE + "/settings", page -> change(new OrgCall(page), page)),
                pages.own(ONE + ":delete", page -> askDelete(new OrgCall(page), FormErrors.NONE)),
                pages.form(ONE + ":delete", page -> delete(new OrgCall(page), page)));
    }

    /// Returns the queue in the path.
    static Queue queue(OrgCall call) {
        return call.api().get(Queue.class, path(call));
    }

    static ApiPath path(OrgCall call) {
        return call.path("/queues/{}", call.page().parameter("queue_id"));
    }

    static String place(OrgCall call, Queue queue) {
        return call.link("/queues/{}", queue.slug());
    }

    /// Returns the breadcrumbs of a page about a queue.
    static List<Crumb> crumbs(OrgCall call, Queue queue) {
        return List.of(new Crumb("Queues", call.link("/queues")), new Crumb(queue.slug(), place(call, queue)));
    }

    private Answer list(OrgCall call) {
        String text = Show.text(call.page().query("q"));
        var path = call.path("/queues").with("q", text);
        String machine = "GET " + path;
        var found = call.api()
                .list(
                        Queue.class,
                        path.with("limit", OrgCall.SHOWN)
                                .with("cursor", call.page().query("cursor")));
        var here = ApiPath.of(call.link("/queues")).with("q", text);
        return call.view("Queues", "queue/queues", NAV)
                .with("queues", found.data())
                .with("text", text)
                .with("next", OrgCall.next(here, found.meta().nextCursor()))
                .forMachines(machine, "sheaf queue list")
                .show();
    }

    private static Map<String, String> habitats(OrgCall call) {
        var names = new LinkedHashMap<String, String>();
        names.put("", "The default habitat");
        call.api()
                .list(Habitat.class, call.path("/habitats").with("limit", MOST_HABITATS))
                .data()
                .forEach(habitat -> names.put(habitat.id().toString(), Show.visible(habitat.name())));
        return names;
    }

    private Answer begin(OrgCall call) {
        call.permit(Method.POST, call.path("/queues"));
        return make(call, Filled.NOTHING, FormErrors.NONE);
    }

    private Answer make(OrgCall call, Filled form, FormErrors errors) {
        return call.view("New queue", "queue/new", NAV)
                .with("form", form)
                .with("errors", errors)
                .with("habitats", habitats(call))
                .forMachines("POST " + call.path("/queues"), "sheaf queue create reviews")
                .refused(errors)
                .show();
    }

    private Answer create(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        try {
            var made = call.api().post(Queue.class, call.path("/queues"), QueueForm.members(form));
            return page.seeOther(place(call, made), Notice.ok("The queue " + made.slug() + " is created."));
        } catch (ProblemException e) {
            return make(call, form, PageCall.errors(e.problem(), QueueForm.FIELDS));
        }
    }

    private Answer show(OrgCall call, PageCall page) {
        var queue = queue(call);
        String place = place(call, queue);
        var filter = JobFilter.of(page);
        var path = filter.appliedTo(call.path("/queues/{}/jobs", queue.slug()));
        String machine = "GET " + path;
        var errors = FormErrors.NONE;
        List<Job> jobs = List.of();
        String next = "";
        try {
            var found =
                    call.api().list(Job.class, path.with("limit", OrgCall.SHOWN).with("cursor", page.query("cursor")));
            jobs = found.data();
            next = OrgCall.next(filter.shown(place), found.meta().nextCursor());
        } catch (ProblemException e) {
            errors = PageCall.errors(e.problem(), "createdAfter", "createdBefore", "jobType", "status", "q");
        }
        return call.view("Queue " + queue.slug(), "queue/queue", NAV)
                .with("queue", queue)
                .with("place", place)
                .with("stats", call.api().get(QueueStats.class, call.path("/queues/{}/stats", queue.slug())))
                .with("filter", filter)
                .with("errors", errors)
                .with("jobs", jobs)
                .with("next", next)
                .forMachines(machine, "sheaf jobs list " + queue.slug())
                .refused(errors)
                .show();
    }

    private Answer turn(OrgCall call, PageCall page, String verb, String what) {
        page.form();
        var queue = call.api().post(Queue.class, call.path("/queues/{}:" + verb, page.parameter("queue_id")), Map.of());
        return page.seeOther(place(call, queue), Notice.ok("The queue " + queue.slug() + " " + what));
    }

    private Answer settings(OrgCall call) {
        var tagged = call.api().tagged(Queue.class, path(call));
        return settings(call, tagged.value(), form(tagged), FormErrors.NONE);
    }

    private static Filled form(Api.Tagged<Queue> queue) {
        return Race.begin(QueueForm.of(queue.value()), queue.etag());
    }

    private Answer settings(OrgCall call, Queue queue, Filled form, FormErrors errors) {
        return call.view("Settings of " + queue.slug(), "queue/settings", NAV)
                .with("queue", queue)
                .with("crumbs", crumbs(call, queue))
                .with("place", place(call, queue))
                .with("form", form)
                .with("errors", errors)
                .with("habitats", habitats(call))
                .forMachines("PATCH " + path(call), "sheaf queue edit " + queue.slug())
                .refused(errors)
                .show();
    }

    private Answer change(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        try {
            var members = QueueForm.members(form);
            var changed = call.api().patch(Queue.class, path(call), form.of(Race.ETAG), members);
            return page.seeOther(place(call, changed), Notice.ok("The settings apply from now on."));
        } catch (ProblemException e) {
            var now = call.api().tagged(Queue.class, path(call));
            return e.problem() instanceof Problem.PreconditionFailed
                    ? settings(call, now.value(), Race.again(form, form(now)), Race.lost(form, form(now), e.problem()))
                    : settings(call, now.value(), form, PageCall.errors(e.problem(), QueueForm.FIELDS));
        }
    }

    private Answer askDelete(OrgCall call, FormErrors errors) {
        call.permit(Method.DELETE, path(call));
        var queue = queue(call);
        long jobs = Looks.counts(queue.counts()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
        var question = new Question(
                "Delete the queue " + queue.slug() + "?",
                "The queue is deleted for good, with its instructions and schedules.",
                List.of(
                        Show.count(jobs, "job is", "jobs are") + " deleted with it, with their history.",
                        "Workers that hold such a job are notified that it no longer exists.",
                        "Routes and programs can no longer add jobs to it."),
                place(call, queue) + ":delete",
                "Delete " + queue.slug(),
                place(call, queue));
        return question.ask(call, NAV, queue.slug(), errors);
    }

    private Answer delete(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        var queue = queue(call);
        if (!form.of("typed").strip().equals(queue.slug())) {
            return askDelete(
                    call, FormErrors.of("typed", "Type the name of the queue, " + queue.slug() + ", to confirm."));
        }
        try {
            call.api().delete(path(call).with("force", "true"));
        } catch (ProblemException e) {
            return askDelete(call, PageCall.errors(e.problem()));
        }
        return page.seeOther(call.link("/queues"), Notice.ok("The queue " + queue.slug() + " is deleted."));
    }
}
