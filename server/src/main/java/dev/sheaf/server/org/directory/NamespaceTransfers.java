package dev.sheaf.server.org.directory;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.model.wire.org.Transfer;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.NamespaceRows;
import dev.sheaf.server.org.OrganizationRows;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.org.quota.UsageAmounts;
import dev.sheaf.server.org.quota.UsageRows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Transfers of namespaces from one organization to another: the giver offers, and the receiver accepts. The
/// owner of a namespace owns all its bundles, so one transaction moves the namespace together with its usage
/// counts. Thread-safe.
public final class NamespaceTransfers {
    private static final int MAX_RECEIVER = 200;

    private final Database database;
    private final QuotaCheck quotas;
    private final Duration lifetime;

    public NamespaceTransfers(Database database, QuotaCheck quotas, Duration lifetime) {
        this.database = database;
        this.quotas = quotas;
        this.lifetime = lifetime;
    }

    /// Reads the receiver of an offer, by id or handle.
    public static String receiver(RequestFields fields) {
        return fields.required("organization", MAX_RECEIVER);
    }

    /// Offers a namespace of the caller's organization to another one.
    ///
    /// @param to the id or handle of the receiver
    /// @throws ProblemException not-found for the namespace; validation-failed for the receiver; conflict if
    /// the namespace is already offered; forbidden for a restricted credential
    public Transfer offer(ChangeOrigin origin, Namespace namespace, String to) {
        return database.write(tx -> {
            own(tx, origin.organizationId(), namespace);
            unrestricted(origin);
            var receiver = OrganizationRows.find(tx, to)
                    .filter(found -> !found.id().equals(origin.organizationId()))
                    .orElseThrow(() -> noReceiver(to));
            TransferRows.open(tx, namespace).ifPresent(open -> {
                if (open.state() == TransferState.PENDING) {
                    throw new Problem.Conflict("the namespace is already offered to "
                                    + open.shown().to() + "; cancel that offer first")
                            .raise();
                }
                TransferRows.end(tx, open.shown().id(), TransferState.CANCELLED, origin.actor());
            });
            UUID id = TransferRows.insert(
                    tx,
                    namespace,
                    origin.organizationId(),
                    receiver.id(),
                    tx.now().plus(lifetime),
                    origin.actor());
            var row = TransferRows.find(tx, id).orElseThrow();
            var event = new Event.TransferOffered(
                    id, namespace.value(), row.shown().from(), row.shown().to());
            both(row).forEach(organization -> OutboxRows.emit(tx, origin.in(organization), event));
            AuditRows.record(tx, origin, "transfer.offer", namespace.value(), "to " + receiver.handle());
            return row.shown();
        });
    }

    private static void unrestricted(ChangeOrigin origin) {
        Access.inPerson(origin.caller());
        Access.unrestricted(origin.caller());
    }

    private static ProblemException noReceiver(String to) {
        return new Problem.ValidationFailed(List.of(new Problem.FieldError(
                        "/organization", "unknown", Quoted.of(to) + " is not another organization of this registry")))
                .raise();
    }

    private static Stream<UUID> both(TransferRows.Row row) {
        return Stream.of(row.fromOrganization(), row.toOrganization());
    }

    /// Returns the organization's namespace, locked against pushes into it.
    private static NamespaceRecord own(Tx tx, UUID organization, Namespace namespace) {
        return NamespaceRows.lock(tx, namespace)
                .filter(found -> found.organizationId().equals(organization))
                .orElseThrow(() -> new Problem.NotFound("namespace " + namespace + " of this organization").raise());
    }

    /// Returns the transfers that the caller's organization gives or receives, newest first, starting before the
    /// id `before`.
    ///
    /// @throws ProblemException forbidden for a key that is restricted to a part of the organization
    public List<Transfer> list(Caller.Known caller, @Nullable String before, int limit) {
        Access.whole(caller);
        UUID organization = caller.organizationId();
        return database
                .read(tx -> TransferRows.list(tx, organization, before == null ? TimeOrderedIds.END : before, limit))
                .stream()
                .map(TransferRows.Row::shown)
                .toList();
    }

    /// @throws ProblemException not-found if the organization is neither giver nor receiver; those of [#list]
    public Transfer get(Caller.Known caller, UUID id) {
        Access.whole(caller);
        UUID organization = caller.organizationId();
        return database.read(tx -> require(
                        TransferRows.find(tx, id).filter(row -> both(row).anyMatch(organization::equals)), id))
                .shown();
    }

    private static TransferRows.Row require(Optional<TransferRows.Row> row, UUID id) {
        return row.orElseThrow(() -> new Problem.NotFound("transfer " + id + " of this organization").raise());
    }

    /// Moves the namespace to the caller's organization. Accepting again changes nothing.
    ///
    /// @throws ProblemException not-found if it is not offered to that organization; conflict if the offer has
    /// ended; quota-exceeded if the organization's quota has no room
    public Transfer accept(ChangeOrigin origin, UUID id) {
        return database.write(tx -> {
            var row = require(
                    TransferRows.find(tx, id)
                            .filter(found -> found.toOrganization().equals(origin.organizationId())),
                    id);
            unrestricted(origin);
            var namespace = new Namespace(row.shown().namespace());
            NamespaceRows.lock(tx, namespace);
            row = TransferRows.find(tx, id).orElseThrow(); // read again, now that it is locked
            if (row.state() == TransferState.ACCEPTED) {
                return row.shown();
            }
            pending(row);
            own(tx, row.fromOrganization(), namespace);
            Stream.of(row.fromOrganization(), row.toOrganization())
                    .sorted()
                    .forEach(organization -> OrganizationRows.lock(tx, organization));
            move(tx, namespace, row);
            return ended(tx, origin, row, TransferState.ACCEPTED);
        });
    }

    private void move(Tx tx, Namespace namespace, TransferRows.Row row) {
        var amounts = UsageRows.ofNamespace(tx, namespace);
        NamespaceRows.setOwner(tx, namespace, row.toOrganization());
        TransferRows.endUploads(tx, namespace);
        TransferRows.endReviews(tx, namespace);
        if (!amounts.equals(UsageAmounts.NONE)) {
            UsageRows.insert(tx, row.fromOrganization(), UsageAmounts.NONE.minus(amounts));
            UsageRows.insert(tx, row.toOrganization(), amounts);
            quotas.check(tx, row.toOrganization(), UsageRows.override(tx, row.toOrganization()), amounts);
        }
        tx.changed(new DataChange(DataChange.Kind.NAMESPACE, namespace.value()));
        both(row)
                .forEach(organization ->
                        tx.changed(new DataChange(DataChange.Kind.ORGANIZATION, organization.toString())));
    }

    /// Ends an offer as its receiver. Ending it again in the same way changes nothing.
    ///
    /// @throws ProblemException not-found if the caller may not end it; conflict if it has ended in another way
    public Transfer decline(ChangeOrigin origin, UUID id) {
        return refuse(origin, id, TransferState.DECLINED);
    }

    /// Ends an offer as its giver.
    ///
    /// @throws ProblemException those of [#decline]
    public Transfer cancel(ChangeOrigin origin, UUID id) {
        return refuse(origin, id, TransferState.CANCELLED);
    }

    private Transfer refuse(ChangeOrigin origin, UUID id, TransferState how) {
        return database.write(tx -> {
            var row = require(
                    TransferRows.find(tx, id)
                            .filter(found -> (how == TransferState.CANCELLED
                                            ? found.fromOrganization()
                                            : found.toOrganization())
                                    .equals(origin.organizationId())),
                    id);
            unrestricted(origin);
            NamespaceRows.lock(tx, new Namespace(row.shown().namespace()));
            row = TransferRows.find(tx, id).orElseThrow();
            if (row.state() == how) {
                return row.shown();
            }
            pending(row);
            return ended(tx, origin, row, how);
        });
    }

    private static void pending(TransferRows.Row row) {
        if (row.state() != TransferState.PENDING) {
            throw new Problem.Conflict("the transfer is " + row.state() + "; a new transfer needs a new offer").raise();
        }
    }

    private static Transfer ended(Tx tx, ChangeOrigin origin, TransferRows.Row row, TransferState outcome) {
        var wire = row.shown();
        TransferRows.end(tx, wire.id(), outcome, origin.actor());
        var event = new Event.TransferEnded(wire.id(), wire.namespace(), wire.from(), wire.to(), outcome.toString());
        both(row).forEach(organization -> {
            OutboxRows.emit(tx, origin.in(organization), event);
            AuditRows.record(
                    tx,
                    origin.in(organization),
                    "transfer." + outcome,
                    wire.namespace(),
                    "from " + wire.from() + " to " + wire.to());
        });
        return TransferRows.find(tx, wire.id()).orElseThrow().shown();
    }

    /// Deletes offers that ended before a moment.
    ///
    /// @return how many; fewer than `limit` if no more are due
    public static int removeEnded(Tx tx, Instant before, int limit) {
        return TransferRows.removeEnded(tx, before, limit);
    }
}
