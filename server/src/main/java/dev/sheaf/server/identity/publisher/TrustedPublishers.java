package dev.sheaf.server.identity.publisher;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.org.TrustedPublisher;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.PublisherRecord;
import dev.sheaf.server.auth.oidc.IdTokens;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.Namespaces;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The workflows that may publish for an organization (contract 5.3). A publisher may cover many bundles, and a
/// bundle may have many publishers. A caller can see and delete only publishers that it could have created
/// itself, as with API keys. Thread-safe.
public final class TrustedPublishers {
    /// The limit of publishers for each organization.
    private static final int MOST = 1_000;

    private final Database database;
    private final IdTokens idTokens;
    private final List<String> audiences;

    /// @param audiences accepted values of the claim aud
    public TrustedPublishers(Database database, IdTokens idTokens, SortedSet<String> audiences) {
        this.database = database;
        this.idTokens = idTokens;
        this.audiences = List.copyOf(audiences);
    }

    /// Creates a publisher. A bundle may be in a free namespace, which the first run claims unless another
    /// organization has claimed it before.
    ///
    /// @throws ProblemException validation-failed if the issuer is not trusted here or the bundles are outside
    /// the caller's restrictions; not-found for bundles in a namespace of another organization; conflict if the
    /// organization has too many
    public TrustedPublisher create(ChangeOrigin origin, NewPublisher publisher) {
        Access.inPerson(origin.caller());
        if (!idTokens.trusts(publisher.issuer())) {
            throw invalid("/issuer", "is not trusted by this installation; its operator can add it to trusted-issuers");
        }
        if (!origin.caller().restrictions().cover(publisher.bundles())) {
            throw invalid("/bundles", "must be within the restrictions of the credential that creates the publisher");
        }
        return database.write(tx -> {
            own(tx, origin.organizationId(), publisher);
            if (PublisherRows.count(tx, origin.organizationId()) >= MOST) {
                throw new Problem.Conflict(
                                "the organization has " + MOST + " trusted publishers, the limit; delete one first")
                        .raise();
            }
            var id = PublisherRows.insert(tx, origin.organizationId(), publisher, origin.actor());
            OutboxRows.emit(
                    tx,
                    origin,
                    new Event.TrustedPublisherCreated(id, publisher.provider().toString(), publisher.issuer()));
            AuditRows.record(tx, origin, "trusted_publisher.create", id.toString());
            return wire(tx, visible(tx, origin.caller(), id));
        });
    }

    /// Refuses bundles of other organizations. The publisher could not publish them, and runs would match the
    /// publishers of two organizations.
    private static void own(Tx tx, UUID organization, NewPublisher publisher) {
        var owners = Namespaces.owners(tx, publisher.bundles().namespacesOfBundles());
        Namespaces.ofOthers(owners, organization).stream()
                .min(Comparator.comparing(Namespace::value))
                .ifPresent(other -> {
                    throw new Problem.NotFound("namespace " + other + " of this organization").raise();
                });
    }

    private static ProblemException invalid(String pointer, String detail) {
        return new Problem.ValidationFailed(List.of(new FieldError(pointer, "range", detail))).raise();
    }

    /// @throws ProblemException not-found
    public TrustedPublisher get(Caller.Known caller, UUID id) {
        return database.read(tx -> wire(tx, visible(tx, caller, id)));
    }

    private TrustedPublisher wire(Tx tx, PublisherRows.Row row) {
        return PublisherRows.wire(tx, row, audiences);
    }

    private static PublisherRows.Row visible(Tx tx, Caller.Known caller, UUID id) {
        return PublisherRows.find(tx, caller.organizationId(), id)
                .filter(row -> covers(caller, row))
                .orElseThrow(() -> missing(id));
    }

    private static boolean covers(Caller.Known caller, PublisherRows.Row row) {
        return caller.restrictions().cover(row.publisher().bundles());
    }

    private static ProblemException missing(UUID id) {
        return new Problem.NotFound("trusted publisher " + id).raise();
    }

    /// Lists the publishers that the caller may see, newest first, starting before the id `before`. Reads all
    /// publishers of the organization, because SQL cannot check restrictions.
    public List<TrustedPublisher> list(Caller.Known caller, @Nullable String before, int limit) {
        String edge = before == null ? TimeOrderedIds.END : before;
        return database.read(tx -> PublisherRows.list(tx, caller.organizationId(), edge, MOST).stream()
                .filter(row -> covers(caller, row))
                .limit(limit)
                .map(row -> wire(tx, row))
                .toList());
    }

    /// Deletes a publisher, and ends the tokens of its runs: on this node immediately, on others within a
    /// second.
    ///
    /// @param check inspects the current publisher, and may refuse
    /// @throws ProblemException not-found
    public void delete(ChangeOrigin origin, UUID id, Consumer<TrustedPublisher> check) {
        Access.inPerson(origin.caller());
        database.write(tx -> {
            check.accept(wire(tx, visible(tx, origin.caller(), id)));
            if (!PublisherRows.delete(tx, origin.organizationId(), id)) {
                throw missing(id);
            }
            tx.changed(new DataChange(DataChange.Kind.PUBLISHER, id.toString()));
            OutboxRows.emit(tx, origin, new Event.TrustedPublisherDeleted(id));
            AuditRows.record(tx, origin, "trusted_publisher.delete", id.toString());
            return id;
        });
    }

    /// Returns the data of a publisher that authentication needs.
    public Optional<PublisherRecord> record(UUID id) {
        return database.read(tx -> PublisherRows.record(tx, id));
    }
}
