package dev.sheaf.server.org;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.heap.HeapShare;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Namespaces and their owners.
public final class Namespaces {
    private static final int BYTES_OF_NAMESPACE = 600;

    private final Database database;
    private final boolean claimByPush;
    private final InvalidatedCache<Namespace, NamespaceRecord> known;

    /// @param claimByPush whether a push into a free namespace claims it
    public Namespaces(Database database, boolean claimByPush) {
        this.database = database;
        this.claimByPush = claimByPush;
        this.known = new InvalidatedCache<>(
                database, "namespaces", HeapShare.NAMESPACES.entries(1, BYTES_OF_NAMESPACE + HeapShare.ENTRY));
        database.onChange(this::forget);
    }

    private void forget(DataChange change) {
        switch (change.kind()) {
            case NAMESPACE -> known.forget(new Namespace(change.id()));
            case EVERYTHING -> known.forgetAll();
            default -> {} // a namespace has no other rows
        }
    }

    /// A namespace that belongs to the caller's organization.
    ///
    /// @param isNew whether it was claimed just now
    public record Claimed(NamespaceRecord namespace, boolean isNew) {}

    /// Claims a free namespace for the caller's organization. Changes nothing if the organization owns it
    /// already.
    ///
    /// @throws ProblemException name-reserved, name-taken, or not-owner if the key's restrictions exclude the
    /// name
    public Claimed create(ChangeOrigin origin, NewNamespace wanted) {
        var name = wanted.name();
        if (!origin.caller().restrictions().permit(name)) {
            throw new Problem.NotOwner("namespace " + name, true).raise();
        }
        return database.write(tx -> {
            var there = NamespaceRows.find(tx, name); // its name may have been reserved later
            boolean isNew = there.isEmpty();
            var record = there.orElseGet(() -> claim(tx, origin, name, wanted.displayName()));
            if (!record.organizationId().equals(origin.organizationId())) {
                throw new Problem.NameTaken(name.value()).raise();
            }
            return new Claimed(record, isNew);
        });
    }

    /// Ensures, inside the transaction of a first push, that the caller's organization owns the namespace of
    /// `name`. Claims a free namespace if the installation allows that.
    ///
    /// @throws ProblemException bundle-not-found if another organization owns the namespace, because its
    /// content is not disclosed
    public void claimForPush(Tx tx, ChangeOrigin origin, RepositoryName name) {
        var caller = origin.caller();
        if (!caller.restrictions().permit(name)) {
            throw Access.hidden(caller, name).raise();
        }
        var existing = Optional.ofNullable(
                NamespaceRows.owners(tx, List.of(name.namespace())).get(name.namespace()));
        if (existing.isEmpty() && !claimByPush) {
            throw new Problem.NotFound("namespace " + name.namespace()
                            + " (it must be created first, with an admin key of your organization)")
                    .raise();
        }
        var owner = existing.orElseGet(() ->
                claim(tx, origin, name.namespace(), name.namespace().value()).organizationId());
        if (!owner.equals(origin.organizationId())) {
            throw Access.hidden(caller, name).raise();
        }
    }

    /// Refuses a caller for whom [#claimForPush] would not create `name`. Hidden and missing names get the same
    /// answer, so call it before other checks.
    ///
    /// @param owner the result of [#owner]
    /// @throws ProblemException those of [Access#read] if the namespace belongs to another organization
    public static void mayClaim(Caller caller, RepositoryName name, @Nullable UUID owner) {
        boolean may = caller instanceof Caller.Known known
                && known.restrictions().permit(name)
                && (owner == null || owner.equals(known.organizationId()));
        if (!may) {
            throw Access.hidden(caller, name).raise();
        }
    }

    private static NamespaceRecord claim(Tx tx, ChangeOrigin origin, Namespace name, String displayName) {
        if (ReservedNames.contains(name)) {
            throw new Problem.NameReserved(name.value()).raise();
        }
        var claimed = NamespaceRows.insert(tx, name, displayName, origin.organizationId(), origin.actor());
        if (claimed.isPresent()) {
            tx.changed(new DataChange(DataChange.Kind.NAMESPACE, name.value()));
            OutboxRows.emit(tx, origin, new Event.NamespaceClaimed(name.value()));
            AuditRows.record(tx, origin, "namespace.claim", name.value());
        }
        return claimed.or(() -> NamespaceRows.find(tx, name)).orElseThrow();
    }

    /// Returns the owners of these namespaces, without free namespaces.
    public static Map<Namespace, UUID> owners(Tx tx, Collection<Namespace> names) {
        return NamespaceRows.owners(tx, names);
    }

    /// Returns the namespaces that belong to other organizations.
    ///
    /// @param owners the result of [#owners]
    public static Set<Namespace> ofOthers(Map<Namespace, UUID> owners, UUID organization) {
        return owners.entrySet().stream()
                .filter(owner -> !owner.getValue().equals(organization))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /// Returns the organization that owns a namespace; null if there is none. For checks only, not to be shown.
    public @Nullable UUID owner(Namespace name) {
        return read(name).map(NamespaceRecord::organizationId).orElse(null);
    }

    /// Returns a namespace that the caller may know of. Any other costs a query, whether it exists or not, so that the
    /// response time does not tell.
    ///
    /// @param may whether the caller may know of it
    public Optional<NamespaceRecord> find(Namespace name, Predicate<NamespaceRecord> may) {
        var kept = known.get(name, missing -> read(missing).filter(may));
        return kept.filter(may.negate()).isPresent() ? read(name).filter(may) : kept;
    }

    private Optional<NamespaceRecord> read(Namespace name) {
        return database.read(tx -> NamespaceRows.find(tx, name));
    }

    /// Returns a namespace of the caller's organization.
    ///
    /// @throws ProblemException not-found if it does not exist, belongs to another organization, or is outside
    /// the caller's restrictions
    public NamespaceRecord get(Caller.Known caller, Namespace name) {
        return find(name, record -> isOwn(caller, name, record))
                .orElseThrow(() -> missing(name).raise());
    }

    /// Returns whether the caller acts for the owner of the namespace, and the restrictions permit it.
    public boolean isOwn(Caller caller, Namespace name) {
        return caller instanceof Caller.Known known
                && find(name, record -> isOwn(known, name, record)).isPresent();
    }

    private static boolean isOwn(Caller.Known caller, Namespace name, NamespaceRecord record) {
        return record.organizationId().equals(caller.organizationId())
                && caller.restrictions().permit(name);
    }

    /// Changes a namespace of the caller's organization.
    ///
    /// @param check inspects the current namespace, and may refuse
    /// @throws ProblemException those of [#get]
    public NamespaceRecord edit(
            ChangeOrigin origin, Namespace name, NamespaceEdit edit, Consumer<NamespaceRecord> check) {
        get(origin.caller(), name);
        return database.write(tx -> {
            var before = NamespaceRows.lock(tx, name)
                    .filter(record -> record.organizationId().equals(origin.organizationId()))
                    .orElseThrow(() -> missing(name).raise());
            check.accept(before);
            var shown = edit.skillsIndex();
            if (shown != null && shown != before.skillsIndex()) {
                NamespaceRows.setSkillsIndex(tx, name, shown);
                tx.changed(new DataChange(DataChange.Kind.NAMESPACE, name.value()));
                AuditRows.record(tx, origin, "namespace.edit", name.value(), "skillsIndex " + shown);
            }
            return NamespaceRows.find(tx, name).orElseThrow();
        });
    }

    private static Problem missing(Namespace name) {
        return new Problem.NotFound("namespace " + name + " of this organization");
    }

    /// Returns the namespaces of the caller's organization within the caller's restrictions, by name; at most
    /// 100.
    public List<NamespaceRecord> permitted(Caller.Known caller) {
        return permitted(caller, null, 100);
    }

    /// Returns at most `limit` of these namespaces, starting after `after`. Reads rows until the page is full,
    /// because SQL cannot check a key's restrictions.
    public List<NamespaceRecord> permitted(Caller.Known caller, @Nullable String after, int limit) {
        var page = new ArrayList<NamespaceRecord>();
        String last = after;
        List<NamespaceRecord> rows;
        do {
            String from = last == null ? "" : last;
            rows = database.read(tx -> NamespaceRows.list(tx, caller.organizationId(), from, limit));
            rows.stream()
                    .filter(record -> caller.restrictions().permit(new Namespace(record.handle())))
                    .limit(limit - page.size())
                    .forEach(page::add);
            last = rows.isEmpty() ? last : rows.getLast().handle();
        } while (rows.size() == limit && page.size() < limit);
        return page;
    }
}
