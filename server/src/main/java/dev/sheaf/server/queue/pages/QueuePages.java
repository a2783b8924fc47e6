package dev.sheaf.server.queue.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.BreadCrumb;
import dev.sheaf.server.console.work.ConfirmPage;
import dev.sheaf.server.console.work.EditRace;
import dev.sheaf.server.console.work.FilledForm;
import dev.sheaf.server.console.work.JobFormat;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.Habitats;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueStatus;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.job.JobList;
import dev.sheaf.server.queue.job.Jobs;
import dev.sheaf.server.queue.job.QueueDeletion;
import dev.sheaf.server.queue.job.QueueStatistics;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Queues: the list, a queue with its jobs, its settings and its deletion.
public final class QueuePages {
    static final String ALL = "/organizations/{org_id}/queues";
    static final String ONE = ALL + "/{queue_id}";
    static final String NAV = "queues";

    private static final int MOST_HABITATS = 200;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int SLOTS = 12; // of five minutes
    private static final int MOST_DRAWN = 100_000; // each job is read to draw its slot

    private final Queues queues;
    private final QueueDeletion deletion;
    private final QueueStatistics statistics;
    private final Habitats habitats;
    private final Jobs jobs;

    public QueuePages(Queues queues, QueueDeletion deletion, QueueStatistics statistics, Habitats habitats, Jobs jobs) {
        this.queues = queues;
        this.deletion = deletion;
        this.statistics = statistics;
        this.habitats = habitats;
        this.jobs = jobs;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ALL, RoutePermission.READ, page -> list(new OrgCall(page))),
                pages.asking(
                        ALL + ":new",
                        RoutePermission.WRITE,
                        page -> make(new OrgCall(page), FilledForm.NOTHING, FormErrors.NONE)),
                pages.form(ALL, RoutePermission.WRITE, page -> create(new OrgCall(page), page)),
                pages.own(ONE, RoutePermission.READ, page -> show(new OrgCall(page), page)),
                pages.own(ONE + "/export.csv", RoutePermission.READ, page -> table(new OrgCall(page), page)),
                turn(pages, ":pause", QueueStatus.PAUSED, "hands out no jobs."),
                turn(pages, ":resume", QueueStatus.ACTIVE, "hands out jobs."),
                turn(pages, ":archive", QueueStatus.ARCHIVED, "takes no jobs and hands out none."),
                pages.own(ONE + "/settings", RoutePermission.READ, page -> settings(new OrgCall(page))),
                pages.form(ONE + "/settings", RoutePermission.WRITE, page -> change(new OrgCall(page), page)),
                pages.asking(
                        ONE + ":delete", RoutePermission.WRITE, page -> askDelete(new OrgCall(page), FormErrors.NONE)),
                pages.form(ONE + ":delete", RoutePermission.WRITE, page -> delete(new OrgCall(page), page)));
    }

    /// Returns the queue in the path.
    static Queue queue(OrgCall call, Queues queues) {
        return queues.get(call.caller(), id(call));
    }

    private Queue queue(OrgCall call) {
        return queue(call, queues);
    }

    /// Returns the row of the queue in the path.
    static QueueRow row(OrgCall call, Queues queues) {
        return queues.find(call.caller(), id(call));
    }

    static String id(OrgCall call) {
        return call.page().parameter("queue_id");
    }

    static ApiPath path(OrgCall call) {
        return call.path("/queues/{}", call.page().parameter("queue_id"));
    }

    static String place(OrgCall call, Queue queue) {
        return call.link("/queues/{}", queue.slug());
    }

    /// Returns the breadcrumbs of a page about a queue.
    static List<BreadCrumb> crumbs(OrgCall call, Queue queue) {
        return List.of(
                new BreadCrumb("Queues", call.link("/queues")), new BreadCrumb(queue.slug(), place(call, queue)));
    }

    private Answer list(OrgCall call) {
        String text = PageFormat.text(call.page().query("q"));
        var path = call.path("/queues").with("q", text);
        String machine = "GET " + path;
        var wanted = text.isEmpty() ? null : RequestFields.named("q", text, JobList::text);
        var found = call.page()
                .paging(OrgCall.SHOWN, "q")
                .list((after, limit) -> queues.list(call.caller(), null, null, wanted, after, limit), Queue::id);
        var here = ApiPath.of(call.link("/queues")).with("q", text);
        return call.view("Queues", "queue/pages/queues", NAV)
                .with("queues", found.data())
                .with("text", text)
                .with("next", OrgCall.next(here, found.meta().nextCursor()))
                .forMachines(machine, "sheaf queue list")
                .show();
    }

    private Map<String, String> habitats(OrgCall call) {
        var names = new LinkedHashMap<String, String>();
        names.put("", "The default habitat");
        habitats.list(call.caller(), null, MOST_HABITATS)
                .forEach(habitat -> names.put(habitat.id().toString(), PageFormat.visible(habitat.name())));
        return names;
    }

    private Answer make(OrgCall call, FilledForm form, FormErrors errors) {
        return call.view("New queue", "queue/pages/new", NAV)
                .with("form", form)
                .with("errors", errors)
                .with("habitats", habitats(call))
                .forMachines("POST " + call.path("/queues"), "sheaf queue create reviews")
                .refused(errors)
                .show();
    }

    private Answer create(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        try {
            var made = queues.create(call.origin(), RequestFields.form(QueueForm.members(form)));
            return page.seeOther(place(call, made), PageNotice.ok("The queue " + made.slug() + " is created."));
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
        List<Job> found = List.of();
        String next = "";
        try {
            var part = call.jobs(jobs, filter.list(queue.id()), page.paging(OrgCall.SHOWN, JobFilter.NAMES));
            found = part.data();
            next = OrgCall.next(filter.shown(place), part.meta().nextCursor());
        } catch (ProblemException e) {
            errors = PageCall.errors(e.problem(), "createdAfter", "createdBefore", "jobType", "status", "q");
        }
        var view = call.view("Queue " + queue.slug(), "queue/pages/queue", NAV);
        long all = jobsOf(queue);
        boolean isLarge = all > QueueStatistics.QUICK;
        if (!isLarge || !page.isQuickRefresh()) {
            var row = row(call, queues);
            var stats = statistics.of(row, HOUR);
            view.with("stats", stats);
            long drawn = stats.enqueued() + stats.finished();
            if (drawn > 0 && drawn <= MOST_DRAWN) {
                view.with("course", QueueCharts.of(statistics.course(row, HOUR, SLOTS)));
            }
        }
        call.naming(found.stream().map(Job::workerId).map(OrgCall::worker));
        return view.with("queue", queue)
                .with("place", place)
                .with("all", all)
                .with("isLarge", isLarge)
                .with("filter", filter)
                .with("bulk", BulkPages.links(queue, filter, place))
                .with("table", filter.shown(place + "/export.csv").toString())
                .with("isLive", page.query("cursor") == null && errors.isEmpty())
                .with("errors", errors)
                .with("jobs", found)
                .with("next", next)
                .forMachines(machine, "sheaf jobs list " + queue.slug())
                .refused(errors)
                .show();
    }

    private Answer table(OrgCall call, PageCall page) {
        var queue = row(call, queues);
        return JobTable.download(
                "jobs-" + queue.slug(), call, jobs, JobFilter.of(page).list(queue.id()));
    }

    private Route turn(PageRoutes pages, String place, QueueStatus status, String what) {
        return pages.form(ONE + place, RoutePermission.WRITE, page -> {
            var call = new OrgCall(page);
            var queue = queues.turn(call.origin(), id(call), status);
            return page.seeOther(place(call, queue), PageNotice.ok("The queue " + queue.slug() + " " + what));
        });
    }

    private EditRace.Current<Queue> current(OrgCall call) {
        var queue = queue(call);
        return EditRace.Current.of(queue, queue.settings());
    }

    private Answer settings(OrgCall call) {
        var tagged = current(call);
        return settings(call, tagged.value(), form(tagged), FormErrors.NONE);
    }

    private static FilledForm form(EditRace.Current<Queue> queue) {
        return EditRace.begin(QueueForm.of(queue.value()), queue.etag());
    }

    private Answer settings(OrgCall call, Queue queue, FilledForm form, FormErrors errors) {
        return call.view("Settings of " + queue.slug(), "queue/pages/settings", NAV)
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
        var form = FilledForm.of(page.form());
        try {
            var patch = RequestFields.patch(QueueForm.members(form));
            var changed = queues.edit(call.origin(), id(call), patch, EditRace.unchanged(form, Queue::settings));
            return page.seeOther(place(call, changed), PageNotice.ok("The settings apply from now on."));
        } catch (ProblemException e) {
            var now = current(call);
            return e.problem() instanceof Problem.PreconditionFailed
                    ? settings(
                            call,
                            now.value(),
                            EditRace.again(form, form(now)),
                            EditRace.lost(form, form(now), e.problem()))
                    : settings(call, now.value(), form, PageCall.errors(e.problem(), QueueForm.FIELDS));
        }
    }

    private static long jobsOf(Queue queue) {
        return JobFormat.counts(queue.counts()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private Answer askDelete(OrgCall call, FormErrors errors) {
        var queue = queue(call);
        long jobs = jobsOf(queue);
        var question = new ConfirmPage(
                "Delete the queue " + queue.slug() + "?",
                "The queue is deleted for good, with its instructions and schedules.",
                List.of(
                        PageFormat.count(jobs, "job is", "jobs are") + " deleted with it, with their history.",
                        "Workers that hold such a job are notified that it no longer exists.",
                        "Routes and programs can no longer add jobs to it."),
                place(call, queue) + ":delete",
                "Delete " + queue.slug(),
                place(call, queue));
        return question.ask(call, NAV, queue.slug(), errors);
    }

    private Answer delete(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        var queue = queue(call);
        if (!form.of("typed").strip().equals(queue.slug())) {
            return askDelete(
                    call, FormErrors.of("typed", "Type the name of the queue, " + queue.slug() + ", to confirm."));
        }
        try {
            deletion.delete(call.origin(), id(call), true, any -> {});
        } catch (ProblemException e) {
            return askDelete(call, PageCall.errors(e.problem()));
        }
        return page.seeOther(call.link("/queues"), PageNotice.ok("The queue " + queue.slug() + " is deleted."));
    }
}
