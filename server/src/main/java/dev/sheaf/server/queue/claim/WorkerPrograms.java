package dev.sheaf.server.queue.claim;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.JsonText;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.queue.Worker;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.queue.Habitats;
import dev.sheaf.server.queue.QueueSlug;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Programs that work on jobs: they register, send heartbeats, and leave. Thread-safe.
public final class WorkerPrograms {
    private static final int MOST = 10_000; // limit of registered workers of an organization
    private static final int MAX_NAME = 200;
    private static final int MAX_METADATA = 16 << 10;
    private static final int MAX_REASON = 1_000;
    private static final Duration BEAT = Duration.ofSeconds(30);
    private static final Duration GONE = BEAT.multipliedBy(3);
    private static final Duration KEPT = Duration.ofDays(30);
    private static final int AT_ONCE = 500;

    private final Database database;
    private final ClaimLeases leases;

    public WorkerPrograms(Database database, ClaimLeases leases) {
        this.database = database;
        this.leases = leases;
    }

    private record Given(
            String instanceId,
            @Nullable UUID habitatId,
            @Nullable String name,
            String workerType,
            @Nullable String clientVersion,
            @Nullable JsonText clientMetadata) {
        static Given parse(RequestFields fields) {
            return new Given(
                    fields.required("instanceId", MAX_NAME),
                    id(fields, "habitatId"),
                    fields.optional("name", MAX_NAME),
                    fields.required("workerType", MAX_NAME),
                    fields.optional("clientVersion", MAX_NAME),
                    fields.json("clientMetadata", MAX_METADATA));
        }
    }

    private static @Nullable UUID id(RequestFields fields, String name) {
        return fields.optional(name, QueueSlug::parseId);
    }

    /// Registers a program, and replaces its earlier registration, and ended ones with the same name.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed; conflict if there are too many
    public Worker.Registered register(Caller.Known caller, RequestFields fields) {
        if (!fields.has("habitatId")) {
            fields.error("habitatId", "required", "is required");
        }
        var given = fields.to(Given::parse);
        var habitat = Objects.requireNonNull(given.habitatId());
        return database.write(tx -> {
            Habitats.require(tx, caller.organizationId(), habitat);
            WorkerRows.replace(tx, caller.organizationId(), JobHolder.of(caller), given.instanceId());
            if (WorkerRows.countLive(tx, caller.organizationId()) >= MOST) {
                throw new Problem.Conflict("the organization has " + MOST
                                + " registered workers, the limit; delete some that are offline")
                        .raise();
            }
            var row = new WorkerRow(
                    TimeOrderedIds.next(tx.now()),
                    caller.organizationId(),
                    habitat,
                    caller.credential().id(),
                    JobHolder.of(caller),
                    given.instanceId(),
                    given.name(),
                    given.workerType(),
                    given.clientVersion(),
                    given.clientMetadata(),
                    null,
                    0,
                    0,
                    tx.now(),
                    tx.now().plus(GONE),
                    null,
                    null);
            WorkerRows.forgetEnded(tx, row);
            WorkerRows.insert(tx, row);
            return new Worker.Registered(row.id(), row.runnerId(), row.deadlineAt(), BEAT.toMillis());
        });
    }

    /// Records a heartbeat of a worker, and renews the lease of its job.
    ///
    /// @throws dev.sheaf.model.ProblemException not-found if the caller has not registered the worker
    public Worker.Beat heartbeat(Caller.Known caller, UUID id, RequestFields fields) {
        var job = fields.to(given -> id(given, "currentJobId"));
        return database.write(tx -> {
            own(tx, caller, id);
            var deadline = tx.now().plus(GONE);
            if (job != null) {
                leases.renew(tx, caller, id, job);
            }
            WorkerRows.beat(tx, id, job, deadline);
            return new Worker.Beat("online", deadline);
        });
    }

    private static WorkerRow own(Tx tx, Caller.Known caller, UUID id) {
        return WorkerRows.find(tx, caller.organizationId(), id)
                .filter(row -> row.deregisteredAt() == null && JobHolder.is(tx, row.holder(), caller))
                .orElseThrow(() -> new Problem.NotFound("a worker " + id + " that this credential registered").raise());
    }

    /// Ends the registration of a worker. Does nothing if it has already ended.
    ///
    /// @throws dev.sheaf.model.ProblemException not-found if the caller never registered the worker
    public Worker deregister(Caller.Known caller, UUID id, RequestFields fields) {
        String reason = fields.optional("reason", MAX_REASON);
        Long completed = fields.count("jobsCompleted");
        Long failed = fields.count("jobsFailed");
        fields.finish();
        return database.write(tx -> {
            refuseForeign(tx, caller, id);
            WorkerRows.deregister(tx, id, reason, completed, failed);
            return find(tx, caller, id).toWire(tx.now());
        });
    }

    /// Refuses workers that the caller never registered. Accepts workers whose registration has ended, because
    /// such a program registers again with its next heartbeat.
    ///
    /// @throws dev.sheaf.model.ProblemException not-found if the caller never registered the worker
    static void refuseForeign(Tx tx, Caller.Known caller, UUID id) {
        boolean isOwn = WorkerRows.find(tx, caller.organizationId(), id)
                .filter(row -> JobHolder.is(tx, row.holder(), caller))
                .isPresent();
        if (!isOwn) {
            throw new Problem.NotFound("a worker " + id + " that this credential registered").raise();
        }
    }

    private static WorkerRow find(Tx tx, Caller.Known caller, UUID id) {
        return WorkerRows.find(tx, caller.organizationId(), id).orElseThrow(() -> missing(id));
    }

    private static RuntimeException missing(UUID id) {
        return new Problem.NotFound("worker " + id).raise();
    }

    // --- management ---

    /// Lists workers, the newest first.
    ///
    /// @param before null, or the id after which the page begins
    public List<Worker> list(Caller.Known caller, @Nullable String before, int limit) {
        return database.read(tx -> WorkerRows.list(tx, caller.organizationId(), before, limit).stream()
                .map(row -> row.toWire(tx.now()))
                .toList());
    }

    /// @throws dev.sheaf.model.ProblemException not-found
    public Worker get(Caller.Known caller, UUID id) {
        return database.read(tx -> find(tx, caller, id).toWire(tx.now()));
    }

    /// Ends the registration of a worker that is offline.
    ///
    /// @param check inspects the current worker, and may refuse
    /// @throws dev.sheaf.model.ProblemException forbidden to callers restricted to a part of the organization;
    /// not-found; conflict if the worker is online
    public void delete(ChangeOrigin origin, UUID id, Consumer<Worker> check) {
        Access.whole(origin.caller());
        database.write(tx -> {
            var row = find(tx, origin.caller(), id);
            check.accept(row.toWire(tx.now()));
            if (row.isOnline(tx.now())) {
                throw new Problem.Conflict("the worker is online; stop it, or wait until it has been silent for "
                                + GONE.toSeconds() + " s")
                        .raise();
            }
            WorkerRows.deregister(tx, id, "deleted", null, null);
            AuditRows.record(tx, origin, "worker.delete", id.toString());
            return id;
        });
    }

    /// Deletes workers that ended thirty days ago.
    public void sweep() {
        int gone = AT_ONCE;
        while (gone == AT_ONCE) {
            gone = database.write(tx -> WorkerRows.sweep(tx, tx.now().minus(KEPT), AT_ONCE));
        }
    }
}
