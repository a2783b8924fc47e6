package dev.sheaf.server.queue.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Instruction;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.auth.ReadOnly;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.LongText;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.BreadCrumb;
import dev.sheaf.server.console.work.FilledForm;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.QueueInstructions;
import dev.sheaf.server.queue.Queues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/// The instructions for the workers of a queue: the list, a single instruction, and the editor with its
/// preview.
public final class InstructionPages {
    private static final String ALL = QueuePages.ONE + "/instructions";
    private static final String ONE = ALL + "/{instruction_id}";
    private static final int MOST_OF_TEMPLATE = 64 << 10;
    private static final String[] FIELDS = {"name", "slug", "template", "bundle", "path", "input"};

    private static final Function<String, UUID> ID = PathId.of("instruction %s");

    private final Queues queues;
    private final QueueInstructions instructions;

    public InstructionPages(Queues queues, QueueInstructions instructions) {
        this.queues = queues;
        this.instructions = instructions;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ALL, RoutePermission.READ, page -> list(new OrgCall(page))),
                pages.asking(ALL + ":new", RoutePermission.WRITE, page -> begin(new OrgCall(page), page)),
                pages.form(ALL + ":render", RoutePermission.WRITE, page -> preview(new OrgCall(page), page)),
                pages.form(ALL, RoutePermission.WRITE, page -> create(new OrgCall(page), page)),
                pages.own(ONE, RoutePermission.READ, page -> show(new OrgCall(page), page)),
                pages.form(ONE + ":activate", RoutePermission.WRITE, page -> turn(new OrgCall(page), page, true)),
                pages.form(ONE + ":deactivate", RoutePermission.WRITE, page -> turn(new OrgCall(page), page, false)));
    }

    private Answer list(OrgCall call) {
        var queue = QueuePages.queue(call, queues);
        String place = QueuePages.place(call, queue);
        var path = call.path("/queues/{}/instructions", queue.slug());
        String machine = "GET " + path;
        var row = QueuePages.row(call, queues);
        var found = call.page()
                .paging(OrgCall.SHOWN)
                .list((after, limit) -> instructions.list(row, after, limit), Instruction::id);
        call.naming(found.data().stream().map(Instruction::createdBy));
        return call.view("Instructions of " + queue.slug(), "queue/pages/instructions", QueuePages.NAV)
                .with("crumbs", QueuePages.crumbs(call, queue))
                .with("queue", queue)
                .with("place", place)
                .with("instructions", found.data())
                .with(
                        "next",
                        OrgCall.next(
                                ApiPath.of(place + "/instructions"),
                                found.meta().nextCursor()))
                .forMachines(machine, "sheaf queue instruction list " + queue.slug())
                .show();
    }

    private Instruction instruction(OrgCall call, UUID id) {
        return instructions.get(QueuePages.row(call, queues), id);
    }

    /// Shows an empty editor, or an editor with the text of another instruction.
    private Answer begin(OrgCall call, PageCall page) {
        var queue = QueuePages.queue(call, queues);
        var form = FilledForm.NOTHING.with("input", "{}").with("active", "true");
        String from = page.query("from");
        if (from != null) {
            var before = instruction(call, ID.apply(from));
            form = form.with("name", before.name())
                    .with("template", before.template())
                    .with("bundle", before.bundle())
                    .with("path", before.path());
        }
        return edit(call, queue, form, "", FormErrors.NONE, 200);
    }

    private Answer edit(OrgCall call, Queue queue, FilledForm form, String preview, FormErrors errors, int status) {
        return call.view("New instruction of " + queue.slug(), "queue/pages/editor", QueuePages.NAV)
                .with("crumbs", crumbs(call, queue))
                .with("place", QueuePages.place(call, queue) + "/instructions")
                .with("form", form)
                .with("preview", LongText.of(preview, LongText.MOST))
                .with("errors", errors)
                .with("heading", status == 200 ? "The template cannot be rendered." : "Nothing was changed.")
                .forMachines(
                        "POST " + call.path("/queues/{}/instructions", queue.slug()),
                        "sheaf queue instruction add " + queue.slug() + " template.md")
                .status(status)
                .show();
    }

    private static List<BreadCrumb> crumbs(OrgCall call, Queue queue) {
        var crumbs = new ArrayList<>(QueuePages.crumbs(call, queue));
        crumbs.add(new BreadCrumb("Instructions", QueuePages.place(call, queue) + "/instructions"));
        return crumbs;
    }

    /// Shows the result of a template next to it. Errors of the template are part of the page, not failures.
    private Answer preview(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        var queue = QueuePages.queue(call, queues);
        try {
            var sent = new LinkedHashMap<String, Object>();
            sent.put("template", form.of("template"));
            var input = form.json("input");
            if (input != null) {
                sent.put("input", input);
            }
            ReadOnly.checkChange();
            var row = QueuePages.row(call, queues);
            var rendered = instructions.render(
                    row, RequestFields.form(sent), page.call().registryHost());
            return edit(call, queue, form, rendered.rendered(), FormErrors.NONE, 200);
        } catch (ProblemException e) {
            return edit(call, queue, form, "", PageCall.errors(e.problem(), FIELDS), 200);
        }
    }

    private Answer create(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        var queue = QueuePages.queue(call, queues);
        var members = form.members(form::text, "name", "slug", "template", "bundle", "path");
        members.put("active", form.has("active", "true"));
        try {
            var row = QueuePages.row(call, queues);
            var made = instructions.create(call.origin(), row, RequestFields.form(members));
            return page.seeOther(
                    QueuePages.place(call, queue) + "/instructions",
                    PageNotice.ok("Version " + made.version() + " is created"
                            + (made.active()
                                    ? ", and workers get it from now on."
                                    : ". Workers get it once you activate it.")));
        } catch (ProblemException e) {
            var errors = PageCall.errors(e.problem(), FIELDS);
            return edit(call, queue, form, "", errors, errors.status());
        }
    }

    private Answer show(OrgCall call, PageCall page) {
        var queue = QueuePages.queue(call, queues);
        var instruction = instruction(call, page.parameter("instruction_id", ID));
        call.naming(Stream.of(instruction.createdBy()));
        return call.view(
                        "Instruction " + PageFormat.visible(instruction.name()) + " of " + queue.slug(),
                        "queue/pages/instruction",
                        QueuePages.NAV)
                .with("crumbs", crumbs(call, queue))
                .with("place", QueuePages.place(call, queue) + "/instructions")
                .with("instruction", instruction)
                .with("template", LongText.of(instruction.template(), MOST_OF_TEMPLATE))
                .forMachines(
                        "GET " + call.path("/queues/{}/instructions/{}", queue.slug(), instruction.id()),
                        "sheaf queue instruction list " + queue.slug())
                .show();
    }

    private Answer turn(OrgCall call, PageCall page, boolean active) {
        String queue = page.parameter("queue_id");
        var row = QueuePages.row(call, queues);
        var turned = instructions.turn(call.origin(), row, page.parameter("instruction_id", ID), active);
        return page.seeOther(
                call.link("/queues/{}/instructions", queue),
                PageNotice.ok("Version " + turned.version()
                        + (turned.active()
                                ? " is active: workers get it from now on."
                                : " is no longer active: workers no longer get it.")));
    }
}
