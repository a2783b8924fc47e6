package dev.sheaf.server.queue.pages.worker;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Habitat;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.BreadCrumb;
import dev.sheaf.server.console.work.ConfirmPage;
import dev.sheaf.server.console.work.FilledForm;
import dev.sheaf.server.console.work.JobFormat;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.Habitats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The places where work runs.
public final class HabitatPages {
    private static final String ALL = "/organizations/{org_id}/habitats";
    private static final String ONE = ALL + "/{habitat_id}";
    private static final String[] FIELDS = {"name", "slug", "habitatType"};

    private final Habitats habitats;

    public HabitatPages(Habitats habitats) {
        this.habitats = habitats;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(
                        ALL,
                        RoutePermission.READ,
                        page -> list(new OrgCall(page), FilledForm.NOTHING, FormErrors.NONE)),
                pages.form(ALL, RoutePermission.WRITE, page -> create(new OrgCall(page), page)),
                pages.own(ONE, RoutePermission.READ, page -> show(new OrgCall(page), page)),
                pages.form(ONE, RoutePermission.WRITE, page -> change(new OrgCall(page), page)),
                pages.asking(ONE + ":delete", RoutePermission.WRITE, page -> ask(new OrgCall(page), FormErrors.NONE)),
                pages.form(ONE + ":delete", RoutePermission.WRITE, page -> delete(new OrgCall(page), page)));
    }

    private Answer list(OrgCall call, FilledForm form, FormErrors errors) {
        var path = call.path("/habitats");
        String machine = "GET " + path;
        var found = call.page()
                .paging(OrgCall.SHOWN)
                .list((after, limit) -> habitats.list(call.caller(), after, limit), Habitat::id);
        return call.view("Habitats", "queue/pages/worker/habitats", WorkerPages.NAV)
                .with("habitats", found.data())
                .with(
                        "next",
                        OrgCall.next(
                                ApiPath.of(call.link("/habitats")), found.meta().nextCursor()))
                .with("form", form)
                .with("errors", errors)
                .forMachines(machine, "sheaf queue habitat list")
                .refused(errors)
                .show();
    }

    private Answer create(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        try {
            var made = habitats.create(call.origin(), RequestFields.form(form.members(form::text, FIELDS)));
            return page.seeOther(call.link("/habitats"), PageNotice.ok("The habitat " + made.slug() + " is created."));
        } catch (ProblemException e) {
            return list(call, form, PageCall.errors(e.problem(), FIELDS));
        }
    }

    private static ApiPath path(OrgCall call) {
        return call.path("/habitats/{}", call.page().parameter("habitat_id"));
    }

    private static String id(OrgCall call) {
        return call.page().parameter("habitat_id");
    }

    private Habitat habitat(OrgCall call) {
        return habitats.get(call.caller(), id(call));
    }

    private Answer show(OrgCall call, PageCall page) {
        var habitat = habitat(call);
        var form = FilledForm.NOTHING
                .with("name", habitat.name())
                .with("slug", habitat.slug())
                .with("habitatType", habitat.habitatType());
        return show(call, habitat, form, FormErrors.NONE);
    }

    private Answer show(OrgCall call, Habitat habitat, FilledForm form, FormErrors errors) {
        return call.view("Habitat " + habitat.slug(), "queue/pages/worker/habitat", WorkerPages.NAV)
                .with("crumbs", List.of(new BreadCrumb("Habitats", call.link("/habitats"))))
                .with("habitat", habitat)
                .with("place", call.link("/habitats/{}", habitat.slug()))
                .with("form", form)
                .with("errors", errors)
                .forMachines("PATCH " + path(call), "sheaf queue habitat list")
                .refused(errors)
                .show();
    }

    private Answer change(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        try {
            var patch = RequestFields.patch(form.members(form::text, FIELDS));
            var changed = habitats.edit(call.origin(), id(call), patch, any -> {});
            return page.seeOther(
                    call.link("/habitats"),
                    PageNotice.ok("The name of the habitat is now " + JobFormat.brief(changed.name()) + "."));
        } catch (ProblemException e) {
            return show(call, habitat(call), form, PageCall.errors(e.problem(), FIELDS));
        }
    }

    private Answer ask(OrgCall call, FormErrors errors) {
        var habitat = habitat(call);
        var question = new ConfirmPage(
                "Delete the habitat " + habitat.slug() + "?",
                "It is deleted for good. A habitat that has queues cannot be deleted.",
                List.of("Workers can no longer register in it."),
                call.link("/habitats/{}", habitat.slug()) + ":delete",
                "Delete " + habitat.slug(),
                call.link("/habitats"));
        return question.ask(call, WorkerPages.NAV, "", errors);
    }

    private Answer delete(OrgCall call, PageCall page) {
        try {
            habitats.delete(call.origin(), id(call), any -> {});
        } catch (ProblemException e) {
            return ask(call, PageCall.errors(e.problem()));
        }
        return page.seeOther(call.link("/habitats"), PageNotice.ok("The habitat is deleted."));
    }

    /// The types of habitats.
    public static Map<String, String> types() {
        var types = new LinkedHashMap<String, String>();
        types.put("local", "Local");
        types.put("cloud", "Cloud");
        return types;
    }
}
