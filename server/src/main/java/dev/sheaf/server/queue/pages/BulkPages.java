package dev.sheaf.server.queue.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.FilledForm;
import dev.sheaf.server.console.work.JobFormat;
import dev.sheaf.server.console.work.OrgCall;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.job.JobSelection;
import dev.sheaf.server.queue.job.Jobs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Retries or cancels many jobs of a queue: those that are marked in its list, or all that match its filter.
public final class BulkPages {
    private static final String WHICH = "which";
    private static final String MARKED = "marked";
    private static final String ALL = "all";
    private static final String UNTIL = "until";
    private static final int MOST_NAMED = 4; // ids for each reason
    private static final int MOST_REASONS = 3;
    private static final String[] FIELDS = {"status", "jobType", "after", "before", "q", "ids"};

    private final Queues queues;
    private final Jobs jobs;

    BulkPages(Queues queues, Jobs jobs) {
        this.queues = queues;
        this.jobs = jobs;
    }

    /// What is done to jobs.
    enum Verb {
        RETRY("Retry", "tried again", JobSelection.RETRIED),
        CANCEL("Cancel", "cancelled", JobSelection.CANCELLED);

        private final String word;
        private final String done;
        private final List<JobState> states;

        Verb(String word, String done, List<JobState> states) {
            this.word = word;
            this.done = done;
            this.states = states;
        }

        private JobSelection read(RequestFields fields) {
            return this == RETRY ? JobSelection.toRetry(fields) : JobSelection.toCancel(fields);
        }

        private String path(String place) {
            return place + (this == RETRY ? "/jobs:retry" : "/jobs:cancel");
        }
    }

    /// A link to the question whether to change all jobs that match.
    public record Link(String label, String place) {}

    /// A state whose jobs match.
    ///
    /// @param count one more than the limit means more than that
    /// @param isChosen whether its jobs are changed unless the reader decides otherwise
    public record Choice(String state, long count, boolean isChosen) {
        public String label() {
            return JobFormat.word(state) + ": "
                    + (count > Jobs.MOST_CHANGED ? "more than " : "")
                    + PageFormat.number(Math.min(count, Jobs.MOST_CHANGED));
        }
    }

    List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.asking(
                        QueuePages.ONE + "/jobs:retry",
                        RoutePermission.WRITE,
                        page -> ask(new OrgCall(page), page, Verb.RETRY)),
                pages.asking(
                        QueuePages.ONE + "/jobs:cancel",
                        RoutePermission.WRITE,
                        page -> ask(new OrgCall(page), page, Verb.CANCEL)),
                pages.form(
                        QueuePages.ONE + "/jobs:cancel",
                        RoutePermission.WRITE,
                        page -> change(new OrgCall(page), page, Verb.CANCEL)));
    }

    /// Returns whether a form is from the list of jobs or its question.
    static boolean isFromList(PageCall page) {
        return page.query(WHICH) != null;
    }

    /// Returns the address to which the form with the marked jobs goes.
    ///
    /// @param verb `retry` or `cancel`
    public static String marked(JobFilter filter, String place, String verb) {
        var path = (verb.equals("retry") ? Verb.RETRY : Verb.CANCEL).path(place);
        return filter.shown(path).with(WHICH, MARKED).toString();
    }

    /// Returns the links for all jobs that match a filter, with their number if the queue counts it.
    static List<Link> links(Queue queue, JobFilter filter, String place) {
        return Stream.of(Verb.values())
                .filter(verb -> filter.status().isEmpty() || words(verb).contains(filter.status()))
                .map(verb -> link(verb, queue, filter, place))
                .filter(link -> !link.label().isEmpty())
                .toList();
    }

    private static Link link(Verb verb, Queue queue, JobFilter filter, String place) {
        var counts = JobFormat.counts(queue.counts());
        var wanted = filter.status().isEmpty() ? chosen(verb) : List.of(filter.status());
        boolean isCancelled = filter.status().isEmpty() && verb == Verb.RETRY && sum(counts, wanted) == 0;
        var states = isCancelled ? List.of("cancelled") : wanted;
        long count = sum(counts, states);
        boolean isByState = new JobFilter(filter.status(), "", "", "", "").equals(filter);
        String which = isCancelled
                ? " that are cancelled"
                : !filter.status().isEmpty()
                        ? " that match"
                        : verb == Verb.RETRY ? " that failed or are dead" : " that wait or run";
        return new Link(
                count == 0 ? "" : verb.word + " all" + (isByState ? " " + PageFormat.number(count) : "") + which,
                filter.shown(verb.path(place)).toString());
    }

    private static long sum(Map<String, Long> counts, List<String> states) {
        return states.stream()
                .mapToLong(state -> counts.getOrDefault(state, 0L))
                .sum();
    }

    /// Returns the states whose jobs are changed unless the reader decides otherwise: not those that somebody
    /// cancelled.
    private static List<String> chosen(Verb verb) {
        return words(verb).stream().filter(state -> !state.equals("cancelled")).toList();
    }

    private static List<String> words(Verb verb) {
        return verb.states.stream().map(JobState::toString).toList();
    }

    private static JobSelection selection(Map<String, @Nullable Object> members, List<String> states, Verb verb) {
        var all = new LinkedHashMap<>(members);
        all.put("status", states);
        return RequestFields.form(all).to(verb::read);
    }

    /// Asks which of the jobs that match now to change; later ones are left alone.
    private Answer ask(OrgCall call, PageCall page, Verb verb) {
        var queue = QueuePages.queue(call, queues);
        String place = QueuePages.place(call, queue);
        var filter = JobFilter.of(page);
        List<Choice> choices;
        try {
            choices = choices(QueuePages.row(call, queues), filter, verb);
        } catch (ProblemException e) {
            return refused(page, place, e, verb);
        }
        if (choices.isEmpty()) {
            return page.seeOther(
                    filter.shown(place).toString(), PageNotice.bad("No job matches that could be " + verb.done + "."));
        }
        long count = choices.stream().mapToLong(Choice::count).sum();
        boolean isMore = count > Jobs.MOST_CHANGED;
        String some = choices.size() > 1
                ? "the chosen jobs"
                : PageFormat.count(Math.min(count, Jobs.MOST_CHANGED), "job", "jobs");
        var action = filter.shown(verb.path(place))
                .with(WHICH, ALL)
                .with(UNTIL, Instant.now().toString());
        String title = choices.size() > 1
                ? verb.word + " which jobs of " + queue.slug() + "?"
                : verb.word + " " + some + " of " + queue.slug() + "?";
        return call.view(title, "queue/pages/bulk", QueuePages.NAV)
                .with("title", title)
                .with(
                        "lead",
                        (verb == Verb.RETRY
                                        ? "Each gets the queue's number of further attempts. "
                                        : "Those that run are stopped: their workers learn of it at their next heartbeat. ")
                                + about(filter, choices)
                                + (isMore
                                        ? " One request changes up to " + PageFormat.number(Jobs.MOST_CHANGED)
                                                + ", the oldest in each state."
                                        : ""))
                .with("choices", choices)
                .with("action", action.toString())
                .with("button", verb.word + " " + some)
                .with("back", filter.shown(place).toString())
                .show();
    }

    private List<Choice> choices(QueueRow queue, JobFilter filter, Verb verb) {
        var states = filter.status().isEmpty() ? words(verb) : List.of(filter.status());
        return states.stream()
                .map(state -> new Choice(
                        state,
                        jobs.count(queue, selection(filter.members(null), List.of(state), verb)),
                        chosen(verb).contains(state)))
                .filter(choice -> choice.count() > 0)
                .toList();
    }

    private static String about(JobFilter filter, List<Choice> choices) {
        var parts = new ArrayList<String>();
        if (!filter.type().isEmpty()) {
            parts.add("of the type " + filter.type());
        }
        if (!filter.text().isEmpty()) {
            parts.add("with “" + filter.text() + "” in their input");
        }
        if (!filter.after().isEmpty()) {
            parts.add("created after " + filter.after());
        }
        if (!filter.before().isEmpty()) {
            parts.add("created before " + filter.before());
        }
        String only = String.join(", ", parts);
        if (choices.size() > 1) {
            return parts.isEmpty() ? "" : PageFormat.visible("Only jobs " + only + ".");
        }
        String state = choices.getFirst().state();
        return PageFormat.visible("They are " + state + (parts.isEmpty() ? "" : ", " + only) + ".");
    }

    /// Changes the jobs that a form has marked or that match its filter.
    Answer change(OrgCall call, PageCall page, Verb verb) {
        var form = FilledForm.of(page.form());
        var queue = QueuePages.row(call, queues);
        String place = call.link("/queues/{}", queue.slug());
        var filter = JobFilter.of(page);
        boolean isAll = ALL.equals(page.query(WHICH));
        var ids = form.all("ids");
        var states = isAll ? form.all("status") : words(verb);
        if (states.isEmpty() || !isAll && ids.isEmpty()) {
            return page.seeOther(
                    filter.shown(place).toString(),
                    PageNotice.bad(isAll ? "No state is chosen." : "No job is marked."));
        }
        try {
            var which = selection(isAll ? filter.members(page.query(UNTIL)) : Map.of("ids", ids), states, verb);
            var changed = verb == Verb.RETRY
                    ? jobs.retryAll(call.origin(), queue, which)
                    : jobs.cancelAll(call.origin(), queue, which);
            return page.seeOther(filter.shown(place).toString(), notice(changed, verb));
        } catch (ProblemException e) {
            return refused(page, place, e, verb);
        }
    }

    private static Answer refused(PageCall page, String place, ProblemException e, Verb verb) {
        var errors = PageCall.errors(e.problem(), FIELDS);
        var lines = Stream.concat(errors.others().stream(), errors.named().values().stream());
        return page.seeOther(
                ApiPath.of(place).toString(),
                PageNotice.bad("No job is " + verb.done + ".", lines.toArray(String[]::new)));
    }

    /// Returns how many jobs were changed, and which not.
    static PageNotice notice(Job.Changed changed, Verb verb) {
        String title = PageFormat.count(changed.count(), "job is", "jobs are") + " " + verb.done + ".";
        var lines = new ArrayList<String>();
        var skipped = changed.skipped() == null ? List.<Job.Skipped>of() : changed.skipped();
        var byReason = skipped.stream()
                .collect(Collectors.groupingBy(Job.Skipped::reason, LinkedHashMap::new, Collectors.toList()));
        byReason.entrySet().stream().limit(MOST_REASONS).forEach(one -> {
            var some = one.getValue();
            String names = some.stream()
                    .limit(MOST_NAMED)
                    .map(job -> JobFormat.end(job.id()))
                    .collect(Collectors.joining(", "));
            String more = some.size() > MOST_NAMED ? " and " + (some.size() - MOST_NAMED) + " more" : "";
            lines.add("Not " + names + more + ": " + one.getKey() + ".");
        });
        if (Boolean.TRUE.equals(changed.hasMore())) {
            lines.add("More jobs match. One request changes up to " + PageFormat.number(Jobs.MOST_CHANGED)
                    + "; repeat it for the others.");
        }
        return new PageNotice(lines.isEmpty() ? "ok" : "warn", title, lines);
    }
}
