package dev.sheaf.server.queue.schedule;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.JsonText;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.input.WireTimestamps;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.Schedule;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.org.OrganizationRows;
import dev.sheaf.server.queue.JobSignal;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.queue.claim.JobClock;
import dev.sheaf.server.queue.job.JobEnqueue;
import dev.sheaf.server.queue.job.JobPriority;
import dev.sheaf.server.queue.job.NewJob;
import dev.sheaf.server.queue.route.AuthorRights;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Makes jobs at given times: one job for each time, on the first node that handles it. If several times have
/// passed while no node ran, only one job is made. Thread-safe.
public final class Schedules implements JobClock.Ticks {
    private static final Logger LOG = LoggerFactory.getLogger(Schedules.class);
    private static final int MOST = 100; // for each queue
    private static final int MOST_OF_ALL = 1_000; // for each organization
    private static final int MOST_FAILURES = 5; // then the database is probably failing
    private static final int MAX_NAME = 200;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Database database;
    private final CpuPool cpu;

    public Schedules(Database database, CpuPool cpu) {
        this.database = database;
        this.cpu = cpu;
    }

    private record Given(
            String name, String cron, String zone, @Nullable JsonText input, String jobType, boolean enabled) {
        static Given parse(RequestFields fields) {
            String cron = fields.parsed("cron", CronTimes::checked, "* * * * *");
            return new Given(
                    fields.has("name") ? fields.required("name", MAX_NAME) : cron,
                    cron,
                    fields.parsedOr("timeZone", WireTimestamps::zone, "UTC"),
                    fields.json("inputData", NewJob.MAX_DATA),
                    fields.has("jobType") ? fields.required("jobType", MAX_NAME) : "default",
                    !Boolean.FALSE.equals(fields.flag("enabled")));
        }

        static Given patched(RequestFields fields, ScheduleRow row) {
            return new Given(
                    fields.sent("name") ? fields.required("name", MAX_NAME) : row.name(),
                    fields.sent("cron") ? fields.parsed("cron", CronTimes::checked, row.cron()) : row.cron(),
                    fields.sent("timeZone") ? fields.parsedOr("timeZone", WireTimestamps::zone, "UTC") : row.timeZone(),
                    fields.sent("inputData") ? fields.json("inputData", NewJob.MAX_DATA) : row.input(),
                    fields.has("jobType") ? fields.required("jobType", MAX_NAME) : row.jobType(),
                    fields.sent("enabled") ? !Boolean.FALSE.equals(fields.flag("enabled")) : row.enabled());
        }
    }

    /// @throws ProblemException validation-failed; conflict if the queue or the organization has too many
    public Schedule create(ChangeOrigin origin, QueueRow queue, RequestFields fields) {
        var given = fields.to(Given::parse);
        var next = first(given);
        return database.write(tx -> {
            OrganizationRows.lock(tx, queue.organizationId());
            QueueRows.lock(tx, queue.id());
            AuthorRights.refuseForeign(tx, origin, "schedules");
            if (ScheduleRows.count(tx, queue.id()) >= MOST) {
                throw new Problem.Conflict("the queue has " + MOST + " schedules, the limit; delete one first").raise();
            }
            if (ScheduleRows.countOfAll(tx, queue.organizationId()) >= MOST_OF_ALL) {
                throw new Problem.Conflict(
                                "the organization has " + MOST_OF_ALL + " schedules, the limit; delete one first")
                        .raise();
            }
            var row = new ScheduleRow(
                    TimeOrderedIds.next(tx.now()),
                    queue.id(),
                    given.name(),
                    given.cron(),
                    given.zone(),
                    given.input(),
                    given.jobType(),
                    given.enabled(),
                    null,
                    next,
                    null,
                    tx.now(),
                    origin.actor(),
                    null);
            ScheduleRows.insert(tx, row);
            note(tx, origin, queue, "create", row);
            return row.toWire();
        });
    }

    private static void note(Tx tx, ChangeOrigin origin, QueueRow queue, String word, ScheduleRow row) {
        AuditRows.record(tx, origin, "schedule." + word, queue.slug() + "/" + row.id());
        tx.changed(JobSignal.of(queue).timed().change());
    }

    /// Returns the first time of a schedule; null if it is not enabled.
    private @Nullable Instant first(Given given) {
        if (!given.enabled()) {
            return null;
        }
        return next(given.cron(), given.zone()).orElseThrow(() -> {
            var error = new Problem.FieldError("/cron", "range", "\"cron\" names a time that never occurs");
            return new Problem.ValidationFailed(List.of(error)).raise();
        });
    }

    /// Runs in the pool, because an expression whose time never comes takes a second.
    private Optional<Instant> next(String cron, String zone) {
        var now = database.now();
        return cpu.run(LIMIT, budget -> CronTimes.of(cron, zone).after(now));
    }

    /// Lists schedules in the order of creation.
    ///
    /// @param after null, or the id after which the page begins
    public List<Schedule> list(QueueRow queue, @Nullable String after, int limit) {
        return database.read(tx -> ScheduleRows.list(tx, queue.id(), after, limit)).stream()
                .map(ScheduleRow::toWire)
                .toList();
    }

    /// @throws ProblemException not-found
    public Schedule get(QueueRow queue, UUID id) {
        return database.read(tx -> find(tx, queue, id)).toWire();
    }

    private static ScheduleRow find(Tx tx, QueueRow queue, UUID id) {
        return ScheduleRows.find(tx, queue.id(), id).orElseThrow(() -> new Problem.NotFound("schedule " + id).raise());
    }

    /// Changes a schedule, and makes the caller its author.
    ///
    /// @param patch a merge patch (RFC 7396)
    /// @param check inspects the current schedule, and may refuse
    /// @throws ProblemException validation-failed, not-found
    public Schedule edit(ChangeOrigin origin, QueueRow queue, UUID id, RequestFields patch, Consumer<Schedule> check) {
        var before = database.read(tx -> find(tx, queue, id));
        var given = patch.to(fields -> Given.patched(fields, before));
        var next = first(given);
        return database.write(tx -> {
            QueueRows.lock(tx, queue.id());
            var row = find(tx, queue, id);
            check.accept(row.toWire());
            AuthorRights.refuseForeign(tx, origin, "schedules");
            var edited = new ScheduleRow(
                    id,
                    queue.id(),
                    given.name(),
                    given.cron(),
                    given.zone(),
                    given.input(),
                    given.jobType(),
                    given.enabled(),
                    given.enabled() ? null : row.disabled(),
                    next,
                    row.lastAt(),
                    row.createdAt(),
                    origin.actor(),
                    tx.now());
            ScheduleRows.update(tx, edited);
            note(tx, origin, queue, "update", edited);
            return edited.toWire();
        });
    }

    /// @throws ProblemException not-found
    public void delete(ChangeOrigin origin, QueueRow queue, UUID id, Consumer<Schedule> check) {
        database.write(tx -> {
            var row = find(tx, queue, id);
            check.accept(row.toWire());
            ScheduleRows.delete(tx, id);
            note(tx, origin, queue, "delete", row);
            return id;
        });
    }

    // --- due times ---

    @Override
    public Ticked tick(int most) {
        var due = database.read(tx -> ScheduleRows.due(tx, most));
        int failures = 0;
        for (var row : due) {
            try {
                tick(row);
            } catch (RuntimeException e) { // the schedule stays due, and does not block the others
                LOG.atLevel(ProblemException.isUnavailable(e) ? Level.DEBUG : Level.WARN)
                        .setCause(e)
                        .log("schedule {} is due, but its check failed; it will be tried again", row.id());
                if (++failures == MOST_FAILURES) {
                    break;
                }
            }
        }
        return failures > 0 ? Ticked.FAILED : due.size() == most ? Ticked.MORE : Ticked.ALL;
    }

    private void tick(ScheduleRow row) {
        var next = following(row);
        try {
            database.write(tx -> {
                QueueRows.find(tx, row.queueId()).ifPresent(queue -> make(tx, queue, row, next));
                return row;
            });
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Unavailable) { // the database may work again in a moment
                throw e;
            }
            LOG.info( // the queue is full, or archived
                    "schedule {} makes no job this time: {}",
                    row.id(),
                    e.problem().detail());
            database.write(tx -> ScheduleRows.advance(tx, row, next));
        }
    }

    private static void make(Tx tx, QueueRow queue, ScheduleRow row, @Nullable Instant next) {
        var objection = AuthorRights.objection(tx, queue, row.createdBy());
        if (objection.isPresent()) {
            ScheduleRows.disable(tx, row, objection.get());
        } else if (ScheduleRows.advance(tx, row, next)) {
            JobEnqueue.enqueue(tx, queue, row.createdBy(), List.of(job(row)));
        }
    }

    /// Returns the next time of a schedule; null if there is none. Runs outside of the pool, because
    /// expressions that [#first] has accepted take milliseconds. A time zone that this version of Java no
    /// longer supports ends the schedule, but does not block the others.
    private @Nullable Instant following(ScheduleRow row) {
        try {
            return CronTimes.of(row.cron(), row.timeZone())
                    .after(database.now())
                    .orElse(null);
        } catch (DateTimeException | IllegalArgumentException | ProblemException e) {
            LOG.warn("schedule {} ends: its next time can no longer be computed", row.id(), e);
            return null;
        }
    }

    private static NewJob job(ScheduleRow row) {
        var data = JsonText.of(Map.of(
                "scheduleId", row.id().toString(), "scheduledAt", String.valueOf(row.nextAt()), "name", row.name()));
        return new NewJob(
                row.jobType(),
                JobPriority.NORMAL,
                null,
                null,
                null,
                null,
                null,
                null,
                new NewJob.Content(row.input(), null, data, null, null, null),
                null);
    }

    @Override
    public @Nullable Instant next(Tx tx) {
        return ScheduleRows.next(tx).orElse(null);
    }
}
