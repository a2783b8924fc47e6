package dev.sheaf.server.queue.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Schedule;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.ConfirmPage;
import dev.sheaf.server.console.work.FilledForm;
import dev.sheaf.server.console.work.JobFormat;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.schedule.Schedules;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/// The schedules that add jobs to a queue.
public final class SchedulePages {
    private static final String ALL = QueuePages.ONE + "/schedules";
    private static final String ONE = ALL + "/{schedule_id}";
    private static final String[] FIELDS = {"name", "cron", "timeZone", "inputData", "jobType"};

    private static final Function<String, UUID> ID = PathId.of("schedule %s");

    private final Queues queues;
    private final Schedules schedules;

    public SchedulePages(Queues queues, Schedules schedules) {
        this.queues = queues;
        this.schedules = schedules;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(
                        ALL,
                        RoutePermission.READ,
                        page -> list(new OrgCall(page), FilledForm.NOTHING, FormErrors.NONE)),
                pages.form(ALL, RoutePermission.WRITE, page -> create(new OrgCall(page), page)),
                pages.form(ONE + ":enable", RoutePermission.WRITE, page -> turn(new OrgCall(page), page, true)),
                pages.form(ONE + ":disable", RoutePermission.WRITE, page -> turn(new OrgCall(page), page, false)),
                pages.asking(ONE + ":delete", RoutePermission.WRITE, page -> ask(new OrgCall(page))),
                pages.form(ONE + ":delete", RoutePermission.WRITE, page -> delete(new OrgCall(page), page)));
    }

    private Answer list(OrgCall call, FilledForm form, FormErrors errors) {
        var queue = QueuePages.queue(call, queues);
        String place = QueuePages.place(call, queue);
        var path = call.path("/queues/{}/schedules", queue.slug());
        String machine = "GET " + path;
        var row = QueuePages.row(call, queues);
        var found = call.page()
                .paging(OrgCall.SHOWN)
                .list((after, limit) -> schedules.list(row, after, limit), Schedule::id);
        return call.view("Schedules of " + queue.slug(), "queue/pages/schedules", QueuePages.NAV)
                .with("crumbs", QueuePages.crumbs(call, queue))
                .with("queue", queue)
                .with("place", place)
                .with("schedules", found.data())
                .with(
                        "next",
                        OrgCall.next(
                                ApiPath.of(place + "/schedules"), found.meta().nextCursor()))
                .with("form", form)
                .with("errors", errors)
                .forMachines(machine, "sheaf queue schedule list " + queue.slug())
                .refused(errors)
                .show();
    }

    private Answer create(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        String queue = page.parameter("queue_id");
        try {
            var members = form.members(form::text, "name", "cron", "timeZone", "jobType");
            members.put("inputData", form.json("inputData"));
            var made = schedules.create(call.origin(), QueuePages.row(call, queues), RequestFields.form(members));
            return page.seeOther(
                    call.link("/queues/{}/schedules", queue),
                    PageNotice.ok("The schedule " + JobFormat.brief(made.name()) + " is created."));
        } catch (ProblemException e) {
            return list(call, form, PageCall.errors(e.problem(), FIELDS));
        }
    }

    private static String back(OrgCall call, PageCall page) {
        return call.link("/queues/{}/schedules", page.parameter("queue_id"));
    }

    private Answer turn(OrgCall call, PageCall page, boolean enabled) {
        var turned = schedules.edit(
                call.origin(),
                QueuePages.row(call, queues),
                page.parameter("schedule_id", ID),
                RequestFields.patch(Map.of("enabled", enabled)),
                any -> {});
        return page.seeOther(
                back(call, page),
                PageNotice.ok("The schedule " + JobFormat.brief(turned.name())
                        + (turned.enabled() ? " adds jobs from now on." : " adds no jobs.")));
    }

    private Answer ask(OrgCall call) {
        var page = call.page();
        var schedule = schedules.get(QueuePages.row(call, queues), page.parameter("schedule_id", ID));
        String name = PageFormat.visible(schedule.name());
        var question = new ConfirmPage(
                "Delete the schedule " + name + "?",
                "It no longer adds jobs to the queue. Jobs that it added stay.",
                List.of(),
                call.link("/queues/{}/schedules/{}", page.parameter("queue_id"), schedule.id()) + ":delete",
                "Delete " + name,
                back(call, page));
        return question.ask(call, QueuePages.NAV, "", FormErrors.NONE);
    }

    private Answer delete(OrgCall call, PageCall page) {
        schedules.delete(call.origin(), QueuePages.row(call, queues), page.parameter("schedule_id", ID), any -> {});
        return page.seeOther(back(call, page), PageNotice.ok("The schedule is deleted."));
    }
}
