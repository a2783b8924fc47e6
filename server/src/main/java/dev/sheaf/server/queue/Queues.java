package dev.sheaf.server.queue;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.LikePattern;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.org.OrganizationRows;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The queues of organizations. Thread-safe.
public final class Queues {
    /// The limit of queues for each organization.
    public static final int MOST = 200;

    private final Database database;
    private final NamedBundle bundles;

    public Queues(Database database, NamedBundle bundles) {
        this.database = database;
        this.bundles = bundles;
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed, name-taken; conflict if there are too many
    public Queue create(ChangeOrigin origin, RequestFields fields) {
        var settings = fields.to(QueueSettings::parse);
        var caller = origin.caller();
        bundles.check(caller, "/bundle", settings.bundle());
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            refuseTaken(tx, origin.organizationId(), settings.slug());
            if (QueueRows.count(tx, origin.organizationId()) >= MOST) {
                throw new Problem.Conflict("the organization has " + MOST + " queues, the limit; delete one first")
                        .raise();
            }
            var row = new QueueRow(
                    TimeOrderedIds.next(tx.now()),
                    origin.organizationId(),
                    QueueStatus.ACTIVE,
                    settings.in(Habitats.ofNewQueue(tx, origin, settings.habitatId())),
                    tx.now(),
                    origin.actor(),
                    null);
            refuseUnseen(caller, row);
            QueueRows.insert(tx, row);
            AuditRows.record(tx, origin, "queue.create", row.slug());
            return QueueWire.show(tx, caller, row);
        });
    }

    /// Prevents keys that are restricted to some queues from creating or changing other queues.
    private static void refuseUnseen(Caller.Known caller, QueueRow row) {
        if (!QueueSight.sees(caller, row)) {
            throw new Problem.Forbidden("this credential is restricted to other queues or bundles; use another one")
                    .raise();
        }
    }

    private static void refuseTaken(Tx tx, UUID organization, String slug) {
        if (QueueRows.find(tx, organization, slug).isPresent()) {
            throw new Problem.NameTaken("the queue " + slug).raise();
        }
    }

    /// Lists queues in the order of creation.
    ///
    /// @param status null for any
    /// @param habitat null for any
    /// @param text a part of the slug or name; null for any
    /// @param after null, or the id after which the list begins
    public List<Queue> list(
            Caller.Known caller,
            @Nullable QueueStatus status,
            @Nullable UUID habitat,
            @Nullable String text,
            @Nullable String after,
            int limit) {
        var filter = new QueueRows.Filter(status, habitat, text == null ? null : LikePattern.containing(text));
        // if the caller sees only some queues, reads all of them, because an organization has few
        int fetched = QueueSight.seesAll(caller) ? limit : MOST + 1;
        return database.read(tx -> QueueWire.show(
                tx,
                caller,
                QueueRows.list(tx, caller.organizationId(), filter, after, fetched).stream()
                        .filter(row -> QueueSight.sees(caller, row))
                        .limit(limit)
                        .toList()));
    }

    /// @param place an id or a slug
    /// @throws dev.sheaf.model.ProblemException not-found
    public Queue get(Caller.Known caller, String place) {
        return database.read(tx -> QueueWire.show(tx, caller, QueueSight.find(tx, caller, place)));
    }

    /// Returns the queue that a path names.
    ///
    /// @throws dev.sheaf.model.ProblemException not-found
    public QueueRow find(Caller.Known caller, String place) {
        return database.read(tx -> QueueSight.find(tx, caller, place));
    }

    /// @param patch a merge patch (RFC 7396)
    /// @param check inspects the current queue, and may refuse
    /// @throws dev.sheaf.model.ProblemException validation-failed, not-found, name-taken
    public Queue edit(ChangeOrigin origin, String place, RequestFields patch, Consumer<Queue> check) {
        var caller = origin.caller();
        var before = find(caller, place);
        var given = patch.to(before.settings()::patched);
        if (!Objects.equals(given.bundle(), before.bundle())) {
            bundles.check(caller, "/bundle", given.bundle());
        }
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            QueueRows.lock(tx, before.id());
            var row = QueueSight.find(tx, caller, before.id().toString());
            check.accept(QueueWire.show(tx, caller, row));
            var settings = patch.to(row.settings()::patched);
            if (!settings.slug().equals(row.slug())) {
                refuseTaken(tx, origin.organizationId(), settings.slug());
            }
            var habitat = Objects.requireNonNull(settings.habitatId());
            Habitats.require(tx, origin.organizationId(), habitat);
            return changed(tx, origin, with(row, row.status(), settings), "update");
        });
    }

    private static QueueRow with(QueueRow row, QueueStatus status, QueueSettings settings) {
        return new QueueRow(
                row.id(), row.organizationId(), status, settings, row.createdAt(), row.createdBy(), row.updatedAt());
    }

    private static Queue changed(Tx tx, ChangeOrigin origin, QueueRow row, String word) {
        refuseUnseen(origin.caller(), row);
        QueueRows.update(tx, row);
        AuditRows.record(tx, origin, "queue." + word, row.slug());
        tx.changed(JobSignal.of(row).timed().change());
        return QueueWire.show(
                tx,
                origin.caller(),
                QueueSight.find(tx, origin.caller(), row.id().toString()));
    }

    /// Changes the status of a queue. Does nothing if the queue has this status already.
    ///
    /// @throws dev.sheaf.model.ProblemException not-found
    public Queue turn(ChangeOrigin origin, String place, QueueStatus status) {
        var caller = origin.caller();
        return database.write(tx -> {
            var found = QueueSight.find(tx, caller, place);
            QueueRows.lock(tx, found.id());
            var row = QueueSight.find(tx, caller, found.id().toString());
            if (row.status() == status) {
                return QueueWire.show(tx, caller, row);
            }
            String word = switch (status) {
                case ACTIVE -> "resume";
                case PAUSED -> "pause";
                case ARCHIVED -> "archive";
            };
            return changed(tx, origin, with(row, status, row.settings()), word);
        });
    }
}
