package dev.sheaf.server.console.worker;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.JobRoute;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.console.Api;
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
import dev.sheaf.server.console.work.Race;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Routes, which create jobs for events.
public final class RoutePages {
    private static final String NAV = "routes";
    private static final String ALL = "/organizations/{org_id}/routes";
    private static final String ONE = ALL + "/{route_id}";
    private static final int MOST_QUEUES = 200;
    private static final String[] FIELDS = {"name", "eventTypes", "subject", "queueId", "inputTemplate"};

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(ALL, page -> list(new OrgCall(page))),
                pages.own(ALL + ":new", page -> begin(new OrgCall(page))),
                pages.form(ALL, page -> create(new OrgCall(page), page)),
                pages.own(ONE, page -> show(new OrgCall(page))),
                pages.form(ONE, page -> change(new OrgCall(page), page)),
                pages.form(ONE + ":enable", page -> turn(new OrgCall(page), page, true)),
                pages.form(ONE + ":disable", page -> turn(new OrgCall(page), page, false)),
                pages.own(ONE + ":delete", page -> ask(new OrgCall(page))),
                pages.form(ONE + ":delete", page -> delete(new OrgCall(page), page)));
    }

    /// Returns the queues that the viewer sees, by id.
    private static Map<String, String> queues(OrgCall call) {
        var names = new LinkedHashMap<String, String>();
        call.api()
                .list(Queue.class, call.path("/queues").with("limit", MOST_QUEUES))
                .data()
                .forEach(queue -> names.put(queue.id().toString(), queue.slug()));
        return names;
    }

    private Answer list(OrgCall call) {
        var path = call.path("/routes");
        String machine = "GET " + path;
        var found = call.api()
                .list(
                        JobRoute.class,
                        path.with("limit", OrgCall.SHOWN)
                                .with("cursor", call.page().query("cursor")));
        return call.view("Routes", "worker/routes", NAV)
                .with("routes", found.data())
                .with("queues", queues(call))
                .with(
                        "next",
                        OrgCall.next(
                                ApiPath.of(call.link("/routes")), found.meta().nextCursor()))
                .forMachines(machine, "sheaf queue route list")
                .show();
    }

    private Answer begin(OrgCall call) {
        call.permit(Method.POST, call.path("/routes"));
        return edit(call, null, Filled.NOTHING, FormErrors.NONE);
    }

    private Answer edit(OrgCall call, @Nullable JobRoute route, Filled form, FormErrors errors) {
        String title = route == null ? "New route" : "Route " + Looks.brief(route.name());
        call.naming(Stream.of(route == null ? "" : route.createdBy()));
        var view = call.view(title, "worker/route", NAV)
                .with("title", title)
                .with("action", route == null ? call.link("/routes") : call.link("/routes/{}", route.id()))
                .with("form", form)
                .with("errors", errors)
                .with("queues", queues(call))
                .forMachines(
                        route == null ? "POST " + call.path("/routes") : "GET " + call.path("/routes/{}", route.id()),
                        route == null
                                ? "sheaf queue route add reviews on-publish --type version.published"
                                : "sheaf queue route list")
                .refused(errors);
        return route == null ? view.show() : view.with("route", route).show();
    }

    private static Map<String, @Nullable Object> members(Filled form) {
        var members = form.members(form::text, "name", "subject", "queueId", "inputTemplate");
        members.put("eventTypes", form.several("eventTypes"));
        return members;
    }

    private Answer create(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        try {
            var made = call.api().post(JobRoute.class, call.path("/routes"), members(form));
            return page.seeOther(
                    call.link("/routes"),
                    Notice.ok("The route " + Looks.brief(made.name()) + " creates jobs from now on."));
        } catch (ProblemException e) {
            return edit(call, null, form, PageCall.errors(e.problem(), FIELDS));
        }
    }

    private static ApiPath path(OrgCall call) {
        return call.path("/routes/{}", call.page().parameter("route_id"));
    }

    private static Api.Tagged<JobRoute> route(OrgCall call) {
        return call.api().tagged(JobRoute.class, path(call));
    }

    private static Filled form(Api.Tagged<JobRoute> tagged) {
        var route = tagged.value();
        var form = Filled.NOTHING
                .with("name", route.name())
                .with("eventTypes", String.join("\n", route.eventTypes()))
                .with("subject", route.subject())
                .with("queueId", route.queueId())
                .with("inputTemplate", route.inputTemplate());
        return Race.begin(form, tagged.etag());
    }

    private Answer show(OrgCall call) {
        var route = route(call);
        return edit(call, route.value(), form(route), FormErrors.NONE);
    }

    private Answer change(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        try {
            var changed = call.api().patch(JobRoute.class, path(call), form.of(Race.ETAG), members(form));
            return page.seeOther(
                    call.link("/routes"), Notice.ok("The route " + Looks.brief(changed.name()) + " is changed."));
        } catch (ProblemException e) {
            var now = route(call);
            return e.problem() instanceof Problem.PreconditionFailed
                    ? edit(call, now.value(), Race.again(form, form(now)), Race.lost(form, form(now), e.problem()))
                    : edit(call, now.value(), form, PageCall.errors(e.problem(), FIELDS));
        }
    }

    private Answer turn(OrgCall call, PageCall page, boolean enabled) {
        page.form();
        var turned = call.api().patch(JobRoute.class, path(call), Map.of("enabled", enabled));
        return page.seeOther(
                call.link("/routes"),
                Notice.ok("The route " + Looks.brief(turned.name())
                        + (turned.enabled() ? " creates jobs from now on." : " creates no jobs.")));
    }

    private Answer ask(OrgCall call) {
        call.permit(Method.DELETE, path(call));
        var route = route(call).value();
        String name = Show.visible(route.name());
        var question = new Question(
                "Delete the route " + name + "?",
                "Events no longer create jobs through it. Jobs that it created stay.",
                List.of(),
                call.link("/routes/{}", route.id()) + ":delete",
                "Delete " + name,
                call.link("/routes"));
        return question.ask(call, NAV, "", FormErrors.NONE);
    }

    private Answer delete(OrgCall call, PageCall page) {
        page.form();
        call.api().delete(path(call));
        return page.seeOther(call.link("/routes"), Notice.ok("The route is deleted."));
    }
}
