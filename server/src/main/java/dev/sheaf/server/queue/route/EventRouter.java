package dev.sheaf.server.queue.route;

import dev.sheaf.engine.cpu.CpuAccount;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.JsonText;
import dev.sheaf.engine.template.Template;
import dev.sheaf.engine.template.TemplateException;
import dev.sheaf.engine.work.WorkClaim;
import dev.sheaf.engine.work.Worker;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.event.EventFeed;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventFilter;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.FeedRow;
import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.queue.job.JobEnqueue;
import dev.sheaf.server.queue.job.JobPriority;
import dev.sheaf.server.queue.job.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes jobs of events. Each route has its own claim. A job and its route's position are stored in one
/// transaction, so each event becomes exactly one job of a route, even if nodes fail. Thread-safe.
public final class EventRouter implements Worker.Job {
    private static final Logger LOG = LoggerFactory.getLogger(EventRouter.class);
    private static final int PAGE = 50;
    private static final Duration PAUSE = Duration.ofSeconds(30); // while the queue accepts no jobs
    private static final Duration SOON = Duration.ofSeconds(1); // while the node is overloaded
    private static final int MAX_ERROR = 1_000;

    private final Database database;
    private final EventFeeds feeds;
    private final EventWire wire;
    private final CpuPool cpu;

    public EventRouter(Database database, EventFeeds feeds, EventWire wire, CpuPool cpu) {
        this.database = database;
        this.feeds = feeds;
        this.wire = wire;
        this.cpu = cpu;
    }

    private record Reading(RouteRow route, AuthorRights author) {}

    @Override
    public @Nullable Instant run(WorkClaim claim) {
        var id = UUID.fromString(claim.name());
        var organization = UUID.fromString(claim.owner());
        boolean more = true;
        while (more && !claim.isOver()) {
            claim.wasAnnounced();
            var reading = database.write(tx -> load(tx, organization, id));
            if (reading == null) {
                return null;
            }
            var page = page(organization, reading);
            try {
                for (var event : page.events()) {
                    if (!route(claim, reading, event) || claim.isOver()) { // a single event may take a second
                        return database.now();
                    }
                }
            } catch (ProblemException e) {
                return refused(id, e);
            }
            database.write(tx -> {
                RouteRows.progress(tx, id, page.end().seq());
                return id;
            });
            more = page.hasMore() || claim.wasAnnounced();
        }
        return more ? database.now() : null;
    }

    /// Returns null if the route is not enabled, or its author has lost all rights.
    private static @Nullable Reading load(Tx tx, UUID organization, UUID id) {
        var route = RouteRows.find(tx, organization, id).filter(RouteRow::enabled);
        if (route.isEmpty()) {
            return null;
        }
        var author = AuthorRights.find(tx, organization, route.get().createdBy());
        if (author.isEmpty()) {
            RouteRows.disable(tx, id, AuthorRights.GONE);
            return null;
        }
        return new Reading(route.get(), author.get());
    }

    private EventFeeds.Page page(UUID organization, Reading reading) {
        var route = reading.route();
        var subjects = route.subject() == null ? List.<String>of() : List.of(route.subject());
        var filter = new EventFilter(
                route.eventTypes().names(), subjects, reading.author().reader());
        var feed = new EventFeed(organization);
        try {
            return feeds.read(feed, filter, route.seq(), PAGE);
        } catch (ProblemException e) {
            if (!(e.problem() instanceof Problem.CursorExpired)) {
                throw e;
            }
            LOG.warn(
                    "the route {} is so far behind that events have expired; it continues with the oldest one that is left",
                    route.id());
            return feeds.read(feed, filter, -1, PAGE);
        }
    }

    /// @return false if another node has taken over the route
    private boolean route(WorkClaim claim, Reading reading, FeedRow event) {
        var route = reading.route();
        var job = RoutedTypes.isLoop(event.type()) ? null : job(reading, event);
        return database.write(tx -> {
            if (!claim.holds(tx)) {
                return false;
            }
            var still = RouteRows.lock(tx, route.organizationId(), route.id());
            if (still.isEmpty() || !still.get().enabled() || still.get().seq() >= event.seq()) {
                return true;
            }
            RouteRows.progress(tx, route.id(), event.seq());
            var author = AuthorRights.find(tx, route.organizationId(), route.createdBy());
            var queue = QueueRows.find(tx, route.queueId()).orElseThrow();
            if (job == null || author.isEmpty()) {
                return true;
            }
            if (!author.get().mayEnqueue(queue)) {
                RouteRows.disable(tx, route.id(), AuthorRights.MAY_NOT_ENQUEUE);
                return true;
            }
            RouteRows.failed(tx, route.id(), null);
            JobEnqueue.enqueue(tx, queue, route.createdBy(), List.of(job));
            return true;
        });
    }

    /// Returns null if the template fails, or does not return a valid input for the event.
    private @Nullable NewJob job(Reading reading, FeedRow event) {
        var route = reading.route();
        var view = reading.author().reader().seesAll() ? EventWire.View.ADMIN : EventWire.View.MEMBER;
        var shown = wire.show(event, view);
        var data = JsonText.of(shown);
        try {
            var input = route.inputTemplate() == null ? data : input(route, route.inputTemplate(), data);
            return new NewJob(
                    "event",
                    JobPriority.NORMAL,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    new NewJob.Content(input, null, data, shown.type(), shown.source(), shown.subject()),
                    route.id());
        } catch (TemplateException | IllegalArgumentException e) {
            String why = event.type() + " " + event.subject() + ": " + e.getMessage();
            database.write(tx -> {
                RouteRows.failed(tx, route.id(), why.substring(0, Math.min(why.length(), MAX_ERROR)));
                return why;
            });
            return null;
        }
    }

    private JsonText input(RouteRow route, String template, JsonText event) {
        var variables = new HashMap<String, @Nullable Object>();
        variables.put("event", event.value());
        String text = CpuPool.onAccountOf(
                () -> new CpuAccount(route.organizationId(), EventRouter.class), // one must not delay the others
                () -> cpu.run(
                        Template.TIME, budget -> Template.parse(template).render(variables, database::now, budget)));
        var input = JsonText.read(text)
                .orElseThrow(() -> new IllegalArgumentException("the input template does not return a JSON value"));
        if (input.text().length() > NewJob.MAX_DATA) {
            throw new IllegalArgumentException("the input template returns more than " + NewJob.MAX_DATA + " bytes");
        }
        return input;
    }

    /// Handles a queue that accepts no jobs now, or an overloaded node. The event becomes a job later. Returns
    /// the time of the next try.
    private Instant refused(UUID id, ProblemException e) {
        if (e.problem() instanceof Problem.RateLimited || e.problem() instanceof Problem.Unavailable) {
            return database.now().plus(SOON);
        }
        String why = Objects.requireNonNullElse(e.problem().detail(), "");
        database.write(tx -> {
            RouteRows.failed(tx, id, why.substring(0, Math.min(why.length(), MAX_ERROR)));
            return id;
        });
        return database.now().plus(PAUSE);
    }
}
