package dev.sheaf.server.console.queue;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Schedule;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.work.Filled;
import dev.sheaf.server.console.work.Looks;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.console.work.Question;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import java.util.List;
import java.util.Map;

/// The schedules that add jobs to a queue.
public final class SchedulePages {
    private static final String ALL = QueuePages.ONE + "/schedules";
    private static final String ONE = ALL + "/{schedule_id}";
    private static final String[] FIELDS = {"name", "cron", "timeZone", "inputData", "jobType"};

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(ALL, page -> list(new OrgCall(page), Filled.NOTHING, FormErrors.NONE)),
                pages.form(ALL, page -> create(new OrgCall(page), page)),
                pages.form(ONE + ":enable", page -> turn(new OrgCall(page), page, true)),
                pages.form(ONE + ":disable", page -> turn(new OrgCall(page), page, false)),
                pages.own(ONE + ":delete", page -> ask(new OrgCall(page))),
                pages.form(ONE + ":delete", page -> delete(new OrgCall(page), page)));
    }

    private Answer list(OrgCall call, Filled form, FormErrors errors) {
        var queue = QueuePages.queue(call);
        String place = QueuePages.place(call, queue);
        var path = call.path("/queues/{}/schedules", queue.slug());
        String machine = "GET " + path;
        var found = call.api()
                .list(
                        Schedule.class,
                        path.with("limit", OrgCall.SHOWN)
                                .with("cursor", call.page().query("cursor")));
        return call.view("Schedules of " + queue.slug(), "queue/schedules", QueuePages.NAV)
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
        var form = Filled.of(page.form());
        String queue = page.parameter("queue_id");
        try {
            var members = form.members(form::text, "name", "cron", "timeZone", "jobType");
            members.put("inputData", form.json("inputData"));
            var made = call.api().post(Schedule.class, call.path("/queues/{}/schedules", queue), members);
            return page.seeOther(
                    call.link("/queues/{}/schedules", queue),
                    Notice.ok("The schedule " + Looks.brief(made.name()) + " is created."));
        } catch (ProblemException e) {
            return list(call, form, PageCall.errors(e.problem(), FIELDS));
        }
    }

    private static ApiPath path(OrgCall call, PageCall page) {
        return call.path("/queues/{}/schedules/{}", page.parameter("queue_id"), page.parameter("schedule_id"));
    }

    private static String back(OrgCall call, PageCall page) {
        return call.link("/queues/{}/schedules", page.parameter("queue_id"));
    }

    private Answer turn(OrgCall call, PageCall page, boolean enabled) {
        page.form();
        var turned = call.api().patch(Schedule.class, path(call, page), Map.of("enabled", enabled));
        return page.seeOther(
                back(call, page),
                Notice.ok("The schedule " + Looks.brief(turned.name())
                        + (turned.enabled() ? " adds jobs from now on." : " adds no jobs.")));
    }

    private Answer ask(OrgCall call) {
        var page = call.page();
        call.permit(Method.DELETE, path(call, page));
        var schedule = call.api().get(Schedule.class, path(call, page));
        String name = Show.visible(schedule.name());
        var question = new Question(
                "Delete the schedule " + name + "?",
                "It no longer adds jobs to the queue. Jobs that it added stay.",
                List.of(),
                call.link("/queues/{}/schedules/{}", page.parameter("queue_id"), schedule.id()) + ":delete",
                "Delete " + name,
                back(call, page));
        return question.ask(call, QueuePages.NAV, "", FormErrors.NONE);
    }

    private Answer delete(OrgCall call, PageCall page) {
        page.form();
        call.api().delete(path(call, page));
        return page.seeOther(back(call, page), Notice.ok("The schedule is deleted."));
    }
}
