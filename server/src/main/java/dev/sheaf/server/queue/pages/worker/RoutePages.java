package dev.sheaf.server.queue.pages.worker;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.JobRoute;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.ConfirmPage;
import dev.sheaf.server.console.work.EditRace;
import dev.sheaf.server.console.work.FilledForm;
import dev.sheaf.server.console.work.JobFormat;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.route.JobRoutes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Routes, which create jobs for events.
public final class RoutePages {
    private static final String NAV = "routes";
    private static final String ALL = "/organizations/{org_id}/routes";
    private static final String ONE = ALL + "/{route_id}";
    private static final int MOST_QUEUES = 200;
    private static final String[] FIELDS = {"name", "eventTypes", "subject", "queueId", "inputTemplate"};

    private static final Function<String, UUID> ID = PathId.of("route %s");

    private final JobRoutes routes;
    private final Queues queues;

    public RoutePages(JobRoutes routes, Queues queues) {
        this.routes = routes;
        this.queues = queues;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ALL, RoutePermission.READ, page -> list(new OrgCall(page))),
                pages.asking(
                        ALL + ":new",
                        RoutePermission.WRITE,
                        page -> edit(new OrgCall(page), null, FilledForm.NOTHING, FormErrors.NONE)),
                pages.form(ALL, RoutePermission.WRITE, page -> create(new OrgCall(page), page)),
                pages.own(ONE, RoutePermission.READ, page -> show(new OrgCall(page))),
                pages.form(ONE, RoutePermission.WRITE, page -> change(new OrgCall(page), page)),
                pages.form(ONE + ":enable", RoutePermission.WRITE, page -> turn(new OrgCall(page), page, true)),
                pages.form(ONE + ":disable", RoutePermission.WRITE, page -> turn(new OrgCall(page), page, false)),
                pages.asking(ONE + ":delete", RoutePermission.WRITE, page -> ask(new OrgCall(page))),
                pages.form(ONE + ":delete", RoutePermission.WRITE, page -> delete(new OrgCall(page), page)));
    }

    /// Returns the queues that the viewer sees, by id.
    private Map<String, String> queues(OrgCall call) {
        var names = new LinkedHashMap<String, String>();
        queues.list(call.caller(), null, null, null, null, MOST_QUEUES)
                .forEach(queue -> names.put(queue.id().toString(), queue.slug()));
        return names;
    }

    private Answer list(OrgCall call) {
        var path = call.path("/routes");
        String machine = "GET " + path;
        var found = call.page()
                .paging(OrgCall.SHOWN)
                .list((after, limit) -> routes.list(call.caller(), after, limit), JobRoute::id);
        return call.view("Routes", "queue/pages/worker/routes", NAV)
                .with("routes", found.data())
                .with("queues", queues(call))
                .with(
                        "next",
                        OrgCall.next(
                                ApiPath.of(call.link("/routes")), found.meta().nextCursor()))
                .forMachines(machine, "sheaf queue route list")
                .show();
    }

    private Answer edit(OrgCall call, @Nullable JobRoute route, FilledForm form, FormErrors errors) {
        String title = route == null ? "New route" : "Route " + JobFormat.brief(route.name());
        call.naming(Stream.of(route == null ? "" : route.createdBy()));
        var view = call.view(title, "queue/pages/worker/route", NAV)
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

    private static Map<String, @Nullable Object> members(FilledForm form) {
        var members = form.members(form::text, "name", "subject", "queueId", "inputTemplate");
        members.put("eventTypes", form.several("eventTypes"));
        return members;
    }

    private Answer create(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        try {
            var made = routes.create(call.origin(), RequestFields.form(members(form)));
            return page.seeOther(
                    call.link("/routes"),
                    PageNotice.ok("The route " + JobFormat.brief(made.name()) + " creates jobs from now on."));
        } catch (ProblemException e) {
            return edit(call, null, form, PageCall.errors(e.problem(), FIELDS));
        }
    }

    private static UUID id(OrgCall call) {
        return call.page().parameter("route_id", ID);
    }

    private EditRace.Current<JobRoute> route(OrgCall call) {
        var route = routes.get(call.caller(), id(call));
        return EditRace.Current.of(route, route);
    }

    private static FilledForm form(EditRace.Current<JobRoute> tagged) {
        var route = tagged.value();
        var form = FilledForm.NOTHING
                .with("name", route.name())
                .with("eventTypes", String.join("\n", route.eventTypes()))
                .with("subject", route.subject())
                .with("queueId", route.queueId())
                .with("inputTemplate", route.inputTemplate());
        return EditRace.begin(form, tagged.etag());
    }

    private Answer show(OrgCall call) {
        var route = route(call);
        return edit(call, route.value(), form(route), FormErrors.NONE);
    }

    private Answer change(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        try {
            var patch = RequestFields.patch(members(form));
            var changed = routes.edit(call.origin(), id(call), patch, EditRace.unchanged(form, route -> route));
            return page.seeOther(
                    call.link("/routes"),
                    PageNotice.ok("The route " + JobFormat.brief(changed.name()) + " is changed."));
        } catch (ProblemException e) {
            var now = route(call);
            return e.problem() instanceof Problem.PreconditionFailed
                    ? edit(
                            call,
                            now.value(),
                            EditRace.again(form, form(now)),
                            EditRace.lost(form, form(now), e.problem()))
                    : edit(call, now.value(), form, PageCall.errors(e.problem(), FIELDS));
        }
    }

    private Answer turn(OrgCall call, PageCall page, boolean enabled) {
        var turned = routes.edit(call.origin(), id(call), RequestFields.patch(Map.of("enabled", enabled)), any -> {});
        return page.seeOther(
                call.link("/routes"),
                PageNotice.ok("The route " + JobFormat.brief(turned.name())
                        + (turned.enabled() ? " creates jobs from now on." : " creates no jobs.")));
    }

    private Answer ask(OrgCall call) {
        var route = route(call).value();
        String name = PageFormat.visible(route.name());
        var question = new ConfirmPage(
                "Delete the route " + name + "?",
                "Events no longer create jobs through it. Jobs that it created stay.",
                List.of(),
                call.link("/routes/{}", route.id()) + ":delete",
                "Delete " + name,
                call.link("/routes"));
        return question.ask(call, NAV, "", FormErrors.NONE);
    }

    private Answer delete(OrgCall call, PageCall page) {
        routes.delete(call.origin(), id(call), any -> {});
        return page.seeOther(call.link("/routes"), PageNotice.ok("The route is deleted."));
    }
}
