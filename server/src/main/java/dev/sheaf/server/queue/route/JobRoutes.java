package dev.sheaf.server.queue.route;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.template.Template;
import dev.sheaf.engine.template.TemplateException;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.queue.JobRoute;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.event.EventFeed;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.org.OrganizationRows;
import dev.sheaf.server.queue.QueueRows;
import dev.sheaf.server.queue.QueueSight;
import dev.sheaf.server.queue.QueueSlug;
import dev.sheaf.server.queue.TemplateField;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The routes of organizations from events to queues. Thread-safe.
public final class JobRoutes {
    private static final int MOST = 200; // for each organization
    private static final int MAX_NAME = 200;
    private static final int MAX_SUBJECT = 500;

    private final Database database;
    private final CpuPool cpu;

    public JobRoutes(Database database, CpuPool cpu) {
        this.database = database;
        this.cpu = cpu;
    }

    private record Given(
            String name,
            RoutedTypes types,
            @Nullable String subject,
            String queue,
            @Nullable String template,
            boolean enabled) {
        static Given parse(RequestFields fields) {
            return new Given(
                    fields.required("name", MAX_NAME),
                    RoutedTypes.parse(fields),
                    fields.optional("subject", MAX_SUBJECT),
                    queue(fields),
                    template(fields),
                    !Boolean.FALSE.equals(fields.flag("enabled")));
        }

        static Given patched(RequestFields fields, RouteRow row) {
            return new Given(
                    fields.sent("name") ? fields.required("name", MAX_NAME) : row.name(),
                    fields.sent("eventTypes") ? RoutedTypes.parse(fields) : row.eventTypes(),
                    fields.sent("subject") ? fields.optional("subject", MAX_SUBJECT) : row.subject(),
                    fields.sent("queueId") ? queue(fields) : row.queueId().toString(),
                    fields.sent("inputTemplate") ? template(fields) : row.inputTemplate(),
                    fields.sent("enabled") ? !Boolean.FALSE.equals(fields.flag("enabled")) : row.enabled());
        }

        private static String queue(RequestFields fields) {
            return fields.parsed("queueId", text -> QueueSlug.parseId(text).toString(), "");
        }

        private static @Nullable String template(RequestFields fields) {
            return TemplateField.of(fields, "inputTemplate");
        }
    }

    /// Creates a route. It makes jobs of later events only.
    ///
    /// @throws ProblemException validation-failed; conflict if the organization has too many
    public JobRoute create(ChangeOrigin origin, RequestFields fields) {
        var given = fields.to(Given::parse);
        check(given.template());
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            AuthorRights.refuseForeign(tx, origin, "routes");
            if (RouteRows.count(tx, origin.organizationId()) >= MOST) {
                throw new Problem.Conflict("the organization has " + MOST + " routes, the limit; delete one first")
                        .raise();
            }
            var row = new RouteRow(
                    TimeOrderedIds.next(tx.now()),
                    origin.organizationId(),
                    queue(tx, origin.caller(), given.queue()),
                    given.name(),
                    given.types(),
                    given.subject(),
                    given.template(),
                    given.enabled(),
                    null,
                    null,
                    EventFeeds.last(tx, new EventFeed(origin.organizationId())),
                    tx.now(),
                    origin.actor(),
                    null);
            RouteRows.insert(tx, row);
            return noted(tx, origin, row, "create").toWire();
        });
    }

    private void check(@Nullable String template) {
        try {
            if (template != null) {
                cpu.run(Template.TIME, budget -> Template.parse(template));
            }
        } catch (TemplateException e) {
            throw new Problem.ValidationFailed(
                            List.of(new Problem.FieldError("/inputTemplate", "format", String.valueOf(e.getMessage()))))
                    .raise();
        }
    }

    private static UUID queue(Tx tx, Caller.Known caller, String id) {
        try {
            return QueueSight.find(tx, caller, id).id();
        } catch (ProblemException e) {
            throw new Problem.ValidationFailed(List.of(
                            new Problem.FieldError("/queueId", "unknown", "the queue " + id + " does not exist")))
                    .raise();
        }
    }

    private static RouteRow noted(Tx tx, ChangeOrigin origin, RouteRow row, String word) {
        AuditRows.record(tx, origin, "route." + word, row.id().toString());
        tx.changed(new DataChange(DataChange.Kind.WEBHOOK, row.organizationId().toString()));
        return row;
    }

    /// Lists the routes to queues that the caller sees, in the order of creation.
    ///
    /// @param after null, or the id after which the page begins
    public List<JobRoute> list(Caller.Known caller, @Nullable String after, int limit) {
        int fetched = QueueSight.seesAll(caller) ? limit : MOST + 1;
        return database.read(tx -> RouteRows.list(tx, caller.organizationId(), after, fetched).stream()
                .filter(row -> isSeen(tx, caller, row))
                .limit(limit)
                .map(RouteRow::toWire)
                .toList());
    }

    private static boolean isSeen(Tx tx, Caller.Known caller, RouteRow row) {
        return QueueSight.seesAll(caller)
                || QueueRows.find(tx, row.queueId())
                        .filter(queue -> QueueSight.sees(caller, queue))
                        .isPresent();
    }

    /// @throws ProblemException not-found
    public JobRoute get(Caller.Known caller, UUID id) {
        return database.read(tx -> seen(
                        tx,
                        caller,
                        id,
                        RouteRows.find(tx, caller.organizationId(), id).orElse(null)))
                .toWire();
    }

    private static RouteRow seen(Tx tx, Caller.Known caller, UUID id, @Nullable RouteRow row) {
        if (row == null || !isSeen(tx, caller, row)) {
            throw new Problem.NotFound("route " + id).raise();
        }
        return row;
    }

    /// Changes a route, and makes the caller its author. A route that is enabled again makes jobs of later
    /// events only.
    ///
    /// @param patch a merge patch (RFC 7396)
    /// @param check inspects the current route, and may refuse
    /// @throws ProblemException validation-failed, not-found
    public JobRoute edit(ChangeOrigin origin, UUID id, RequestFields patch, Consumer<JobRoute> check) {
        var caller = origin.caller();
        var before = database.read(tx -> seen(
                tx, caller, id, RouteRows.find(tx, caller.organizationId(), id).orElse(null)));
        check(patch.to(fields -> Given.patched(fields, before)).template());
        return database.write(tx -> {
            var row = seen(
                    tx,
                    caller,
                    id,
                    RouteRows.lock(tx, caller.organizationId(), id).orElse(null));
            check.accept(row.toWire());
            AuthorRights.refuseForeign(tx, origin, "routes");
            var given = patch.to(fields -> Given.patched(fields, row));
            boolean begins = given.enabled() && !row.enabled();
            var edited = new RouteRow(
                    id,
                    row.organizationId(),
                    queue(tx, caller, given.queue()),
                    given.name(),
                    given.types(),
                    given.subject(),
                    given.template(),
                    given.enabled(),
                    given.enabled() ? null : row.disabled(),
                    begins ? null : row.lastError(),
                    begins ? EventFeeds.last(tx, new EventFeed(row.organizationId())) : row.seq(),
                    row.createdAt(),
                    origin.actor(),
                    tx.now());
            RouteRows.update(tx, edited);
            return noted(tx, origin, edited, "update").toWire();
        });
    }

    /// @throws ProblemException not-found
    public void delete(ChangeOrigin origin, UUID id, Consumer<JobRoute> check) {
        database.write(tx -> {
            var row = seen(
                    tx,
                    origin.caller(),
                    id,
                    RouteRows.lock(tx, origin.organizationId(), id).orElse(null));
            check.accept(row.toWire());
            RouteRows.delete(tx, id);
            return noted(tx, origin, row, "delete");
        });
    }
}
