package dev.sheaf.server.queue.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.JobEvent;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.LongText;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.ConfirmPage;
import dev.sheaf.server.console.work.FilledForm;
import dev.sheaf.server.console.work.JobFormat;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.console.work.WorkerMessage;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.job.JobEnqueue;
import dev.sheaf.server.queue.job.JobSelection;
import dev.sheaf.server.queue.job.Jobs;
import dev.sheaf.server.queue.job.NewJob;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Jobs: a job with its history, and the form for a new job.
public final class JobPages {
    private static final String ONE = "/organizations/{org_id}/jobs/{job_id}";
    private static final String NEW = QueuePages.ONE + "/jobs";
    private static final int MOST_EVENTS = 100;
    private static final int COPIES = 4; // of the tries: a text takes up to two bytes per byte of UTF-8, plus its page
    private static final Function<String, UUID> ID = PathId.of("job %s");
    private static final int MOST_OF_PART = 10 << 10; // bytes of a part; a page has up to five parts
    private static final int MOST_OF_MESSAGES = 8 << 10; // bytes of a list of messages; a page has two
    private static final String[] FIELDS = {
        "jobType", "inputData", "priority", "notBefore", "dedupeKey", "concurrencyKey", "bundle", "maxAttempts"
    };

    private final Queues queues;
    private final JobEnqueue enqueue;
    private final Jobs jobs;

    public JobPages(Queues queues, JobEnqueue enqueue, Jobs jobs) {
        this.queues = queues;
        this.enqueue = enqueue;
        this.jobs = jobs;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.asking(
                        NEW + ":new",
                        RoutePermission.WRITE,
                        page -> make(new OrgCall(page), FilledForm.NOTHING, FormErrors.NONE)),
                pages.form(NEW, RoutePermission.WRITE, page -> create(new OrgCall(page), page)),
                pages.own(ONE, RoutePermission.READ, page -> show(new OrgCall(page), page)),
                pages.own(ONE + "/{part}", RoutePermission.READ, page -> part(new OrgCall(page), page)),
                pages.asking(ONE + ":delete", RoutePermission.WRITE, page -> ask(new OrgCall(page))),
                pages.form(ONE + ":delete", RoutePermission.WRITE, page -> delete(new OrgCall(page), page)),
                pages.form(
                        ONE + ":cancel",
                        RoutePermission.WRITE,
                        page -> turn(new OrgCall(page), page, jobs::cancel, "is cancelled.")),
                pages.form(
                        ONE + ":retry",
                        RoutePermission.WRITE,
                        page -> turn(new OrgCall(page), page, jobs::retry, "is tried again.")));
    }

    private Answer make(OrgCall call, FilledForm form, FormErrors errors) {
        var queue = QueuePages.queue(call, queues);
        return call.view("New job in " + queue.slug(), "queue/pages/newjob", QueuePages.NAV)
                .with("crumbs", QueuePages.crumbs(call, queue))
                .with("queue", queue)
                .with("place", QueuePages.place(call, queue))
                .with("form", form)
                .with("errors", errors)
                .forMachines(
                        "POST " + call.path("/queues/{}/jobs", queue.slug()),
                        "sheaf jobs add " + queue.slug() + " '{\"url\": \"https://example.org\"}'")
                .refused(errors)
                .show();
    }

    private Answer create(OrgCall call, PageCall page) {
        var form = FilledForm.of(page.form());
        try {
            var members = form.members(form::text, "jobType", "priority", "dedupeKey", "concurrencyKey", "bundle");
            members.put("inputData", form.json("inputData"));
            members.put("notBefore", form.time("notBefore"));
            members.put("maxAttempts", form.number("maxAttempts"));
            var wanted = RequestFields.form(members).to(NewJob::parseAll);
            var job = enqueue.enqueue(call.origin(), QueuePages.id(call), wanted, false)
                    .getFirst()
                    .job();
            return page.seeOther(
                    call.link("/jobs/{}", job.id()),
                    PageNotice.ok("The job " + JobFormat.end(job.id()) + " is in the queue."));
        } catch (ProblemException e) {
            return make(call, form, PageCall.errors(e.problem(), FIELDS));
        }
    }

    private Job job(OrgCall call) {
        return jobs.get(call.caller(), call.page().parameter("job_id", ID), true, borrowed(call));
    }

    private static LongConsumer borrowed(OrgCall call) {
        return bytes -> call.page().call().borrow("the tries of the job", bytes, COPIES);
    }

    private Answer show(OrgCall call, PageCall page) {
        var job = job(call);
        String find = PageFormat.text(page.query("find"));
        var path = call.path("/jobs/{}", job.id());
        var all = events(call, job);
        var events = all.stream()
                .filter(event -> !event.type().equals("progress")) // they are in the log
                .toList();
        var attempts = job.attempts() == null ? List.<Job.Attempt>of() : job.attempts();
        call.naming(Stream.of(
                        Stream.of(PageFormat.text(job.createdBy())),
                        last(attempts).stream().map(Job.Attempt::holder),
                        last(attempts).stream().map(Job.Attempt::workerId).map(OrgCall::worker),
                        Stream.of(OrgCall.worker(job.workerId())))
                .flatMap(Function.identity()));
        var queue = queues.get(call.caller(), job.queueId().toString());
        return call.view("Job " + JobFormat.end(job.id()) + " of " + queue.slug(), "queue/pages/job", QueuePages.NAV)
                .with("crumbs", QueuePages.crumbs(call, queue))
                .with("job", job)
                .with("place", call.link("/jobs/{}", job.id()))
                .with("texts", texts(job))
                .with("attempts", last(attempts))
                .with("said", WorkerMessage.of(last(attempts).reversed(), Job.Attempt::errorMessage, MOST_OF_MESSAGES))
                .with("log", JobLog.of(all, find))
                .with("find", find)
                .with("events", last(events).reversed())
                .with("told", WorkerMessage.of(last(events).reversed(), JobEvent::message, MOST_OF_MESSAGES))
                .forMachines("GET " + path.with("include", "attempts"), "sheaf jobs show " + job.id() + " --attempts")
                .show();
    }

    private List<JobEvent> events(OrgCall call, Job job) {
        return jobs.events(call.caller(), job.id(), borrowed(call));
    }

    /// Returns the end of a list that may be long.
    private static <T> List<T> last(List<T> all) {
        return all.subList(Math.max(0, all.size() - MOST_EVENTS), all.size());
    }

    private static Map<String, @Nullable Object> parts(Job job) {
        var parts = new LinkedHashMap<String, @Nullable Object>();
        parts.put("input", job.inputData());
        parts.put("output", job.outputData());
        parts.put("data", job.data());
        parts.put("error", job.errorDetails());
        return parts;
    }

    private static Map<String, LongText> texts(Job job) {
        var texts = new LinkedHashMap<String, LongText>();
        parts(job).forEach((name, value) -> {
            if (value != null) {
                texts.put(name, LongText.json(value, MOST_OF_PART));
            }
        });
        return texts;
    }

    /// Returns a text that is too long for the page, as a file.
    private Answer part(OrgCall call, PageCall page) {
        var job = job(call);
        String name = page.parameter("part");
        if (name.equals("log")) {
            return file(
                    "log.txt",
                    "text/plain; charset=utf-8",
                    JobLog.whole(events(call, job)).getBytes(StandardCharsets.UTF_8));
        }
        Object value = switch (name) {
            case "attempts" -> job.attempts();
            case "history" -> events(call, job);
            default -> parts(job).get(name);
        };
        if (value == null) {
            throw new Problem.NotFound("the path " + page.call().rawPath()).raise();
        }
        return file(name + ".json", "application/json", Json.write(value));
    }

    private static Answer file(String name, String type, byte[] content) {
        return Answer.bytes(200, type, content)
                .with("Content-Disposition", "attachment; filename=\"" + name + "\"")
                .with("Content-Security-Policy", "sandbox; default-src 'none'")
                .with("Cache-Control", "private, no-store");
    }

    private Answer ask(OrgCall call) {
        var job = job(call);
        String name = JobFormat.end(job.id());
        var question = new ConfirmPage(
                "Delete the job " + name + "?",
                "It is deleted for good, with its input, output, attempts and history.",
                List.of(),
                call.link("/jobs/{}", job.id()) + ":delete",
                "Delete " + name,
                call.link("/queues/{}/dead", job.queueId()));
        return question.ask(call, QueuePages.NAV, "", FormErrors.NONE);
    }

    private Answer delete(OrgCall call, PageCall page) {
        var job = job(call);
        var members =
                Map.of("status", List.of(job.status()), "ids", List.of(job.id().toString()));
        var which = RequestFields.form(members).to(JobSelection::toPurge);
        var queue = queues.find(call.caller(), job.queueId().toString());
        long purged = jobs.purge(call.origin(), queue, which);
        return page.seeOther(
                call.link("/queues/{}/dead", job.queueId()),
                purged == 1
                        ? PageNotice.ok("The job " + JobFormat.end(job.id()) + " is deleted.")
                        : PageNotice.bad("The job " + JobFormat.end(job.id()) + " was not deleted: it has changed."));
    }

    private static Answer turn(OrgCall call, PageCall page, BiFunction<ChangeOrigin, UUID, Job> how, String what) {
        boolean isFromList = page.form().first("back").filter("dead"::equals).isPresent();
        var job = how.apply(call.origin(), page.parameter("job_id", ID));
        String place = isFromList ? call.link("/queues/{}/dead", job.queueId()) : call.link("/jobs/{}", job.id());
        return page.seeOther(place, PageNotice.ok("The job " + JobFormat.end(job.id()) + " " + what));
    }
}
