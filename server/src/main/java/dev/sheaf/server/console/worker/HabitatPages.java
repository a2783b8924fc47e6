package dev.sheaf.server.console.worker;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Habitat;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.work.Crumb;
import dev.sheaf.server.console.work.Filled;
import dev.sheaf.server.console.work.Looks;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.console.work.Question;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.input.Fields;
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

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(ALL, Need.READ, page -> list(new OrgCall(page), Filled.NOTHING, FormErrors.NONE)),
                pages.form(ALL, Need.WRITE, page -> create(new OrgCall(page), page)),
                pages.own(ONE, Need.READ, page -> show(new OrgCall(page), page)),
                pages.form(ONE, Need.WRITE, page -> change(new OrgCall(page), page)),
                pages.asking(ONE + ":delete", Need.WRITE, page -> ask(new OrgCall(page), FormErrors.NONE)),
                pages.form(ONE + ":delete", Need.WRITE, page -> delete(new OrgCall(page), page)));
    }

    private Answer list(OrgCall call, Filled form, FormErrors errors) {
        var path = call.path("/habitats");
        String machine = "GET " + path;
        var found = call.page()
                .paging(OrgCall.SHOWN)
                .list((after, limit) -> habitats.list(call.caller(), after, limit), Habitat::id);
        return call.view("Habitats", "worker/habitats", WorkerPages.NAV)
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
        var form = Filled.of(page.form());
        try {
            var made = habitats.create(call.origin(), Fields.form(form.members(form::text, FIELDS)));
            return page.seeOther(call.link("/habitats"), Notice.ok("The habitat " + made.slug() + " is created."));
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
        var form = Filled.NOTHING
                .with("name", habitat.name())
                .with("slug", habitat.slug())
                .with("habitatType", habitat.habitatType());
        return show(call, habitat, form, FormErrors.NONE);
    }

    private Answer show(OrgCall call, Habitat habitat, Filled form, FormErrors errors) {
        return call.view("Habitat " + habitat.slug(), "worker/habitat", WorkerPages.NAV)
                .with("crumbs", List.of(new Crumb("Habitats", call.link("/habitats"))))
                .with("habitat", habitat)
                .with("place", call.link("/habitats/{}", habitat.slug()))
                .with("form", form)
                .with("errors", errors)
                .forMachines("PATCH " + path(call), "sheaf queue habitat list")
                .refused(errors)
                .show();
    }

    private Answer change(OrgCall call, PageCall page) {
        var form = Filled.of(page.form());
        try {
            var patch = Fields.patch(form.members(form::text, FIELDS));
            var changed = habitats.edit(call.origin(), id(call), patch, any -> {});
            return page.seeOther(
                    call.link("/habitats"),
                    Notice.ok("The name of the habitat is now " + Looks.brief(changed.name()) + "."));
        } catch (ProblemException e) {
            return show(call, habitat(call), form, PageCall.errors(e.problem(), FIELDS));
        }
    }

    private Answer ask(OrgCall call, FormErrors errors) {
        var habitat = habitat(call);
        var question = new Question(
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
        return page.seeOther(call.link("/habitats"), Notice.ok("The habitat is deleted."));
    }

    /// The types of habitats.
    public static Map<String, String> types() {
        var types = new LinkedHashMap<String, String>();
        types.put("local", "Local");
        types.put("cloud", "Cloud");
        return types;
    }
}
