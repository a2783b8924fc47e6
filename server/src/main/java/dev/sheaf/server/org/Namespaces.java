package dev.sheaf.server.org;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Namespaces and who owns them.
public final class Namespaces {
    private final Database database;
    private final boolean claimByPush;

    /// @param claimByPush whether a push into a free namespace claims it
    public Namespaces(Database database, boolean claimByPush) {
        this.database = database;
        this.claimByPush = claimByPush;
    }

    /// A namespace that is the caller's organization's.
    ///
    /// @param isNew whether it was not before
    public record Claimed(NamespaceRecord namespace, boolean isNew) {}

    /// Claims a free namespace for the caller's organization. To claim what is one's own already changes
    /// nothing.
    ///
    /// @throws ProblemException name-reserved, name-taken, or not-owner where the key's restrictions leave the
    /// name out
    public Claimed create(Origin origin, NewNamespace wanted) {
        var name = wanted.name();
        if (!origin.caller().restrictions().permit(name)) {
            throw new Problem.NotOwner("namespace " + name).raise();
        }
        return database.write(tx -> {
            var there = NamespaceRows.find(tx, name); // what is one's own may have a name that is reserved today
            boolean isNew = there.isEmpty();
            var record = there.orElseGet(() -> claim(tx, origin, name, wanted.displayName()));
            if (!record.organizationId().equals(origin.organizationId())) {
                throw new Problem.NameTaken(name.value()).raise();
            }
            return new Claimed(record, isNew);
        });
    }

    /// Makes sure, inside the transaction of a first push, that the caller's organization owns the namespace of
    /// `name`: claims it where it is free and the installation allows that.
    ///
    /// @throws ProblemException bundle-not-found where it is another organization's: what is in there is not
    /// told
    public void claimForPush(Tx tx, Origin origin, RepositoryName name) {
        var caller = origin.caller();
        if (!caller.restrictions().permit(name)) {
            throw Access.hidden(caller, name).raise();
        }
        var existing = Optional.ofNullable(
                NamespaceRows.owners(tx, List.of(name.namespace())).get(name.namespace()));
        if (existing.isEmpty() && !claimByPush) {
            throw new Problem.NotFound("namespace " + name.namespace()
                            + " (this registry wants it created first, by an admin key of your organization)")
                    .raise();
        }
        var owner = existing.orElseGet(() ->
                claim(tx, origin, name.namespace(), name.namespace().value()).organizationId());
        if (!owner.equals(origin.organizationId())) {
            throw Access.hidden(caller, name).raise();
        }
    }

    /// Refuses early, and before it tells anything else, a caller for whom [#claimForPush] would not make
    /// `name`: the same for what is hidden from the caller as for what is missing.
    ///
    /// @param owner as [#owner] says
    /// @throws ProblemException as [Access#read] where the namespace is another organization's
    public static void mayClaim(Caller caller, RepositoryName name, @Nullable UUID owner) {
        boolean may = caller instanceof Caller.Known known
                && known.restrictions().permit(name)
                && (owner == null || owner.equals(known.organizationId()));
        if (!may) {
            throw Access.hidden(caller, name).raise();
        }
    }

    private static NamespaceRecord claim(Tx tx, Origin origin, Namespace name, String displayName) {
        if (ReservedNames.contains(name)) {
            throw new Problem.NameReserved(name.value()).raise();
        }
        var claimed = NamespaceRows.insert(tx, name, displayName, origin.organizationId(), origin.actor());
        if (claimed.isPresent()) {
            tx.changed(new Change(Change.Kind.NAMESPACE, name.value()));
            OutboxRows.emit(tx, origin, new Event.NamespaceClaimed(name.value()));
            AuditRows.record(tx, origin, "namespace.claim", name.value());
        }
        return claimed.or(() -> NamespaceRows.find(tx, name)).orElseThrow();
    }

    /// Whose these namespaces are; those that nobody owns are left out.
    public static Map<Namespace, UUID> owners(Tx tx, Collection<Namespace> names) {
        return NamespaceRows.owners(tx, names);
    }

    /// Those of [#owners] that belong to somebody else than the organization.
    public static Set<Namespace> ofOthers(Map<Namespace, UUID> owners, UUID organization) {
        return owners.entrySet().stream()
                .filter(owner -> !owner.getValue().equals(organization))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /// The organization that a namespace belongs to; null: none.
    public @Nullable UUID owner(Namespace name) {
        return find(name).map(NamespaceRecord::organizationId).orElse(null);
    }

    /// The namespace, whosever it is: for rules, not to be shown.
    public Optional<NamespaceRecord> find(Namespace name) {
        return database.read(tx -> NamespaceRows.find(tx, name));
    }

    /// A namespace of the caller's organization.
    ///
    /// @throws ProblemException not-found where it does not exist, is another organization's, or the caller is
    /// confined to others
    public NamespaceRecord get(Caller.Known caller, Namespace name) {
        return find(name)
                .filter(record -> record.organizationId().equals(caller.organizationId()))
                .filter(record -> caller.restrictions().permit(name))
                .orElseThrow(() -> missing(name).raise());
    }

    /// Changes a namespace of the caller's organization.
    ///
    /// @param check asked about the namespace as it is
    /// @throws ProblemException as [#get]
    public NamespaceRecord edit(Origin origin, Namespace name, NamespaceEdit edit, Consumer<NamespaceRecord> check) {
        get(origin.caller(), name);
        return database.write(tx -> {
            var before = NamespaceRows.lock(tx, name)
                    .filter(record -> record.organizationId().equals(origin.organizationId()))
                    .orElseThrow(() -> missing(name).raise());
            check.accept(before);
            var shown = edit.skillsIndex();
            if (shown != null && shown != before.skillsIndex()) {
                NamespaceRows.setSkillsIndex(tx, name, shown);
                tx.changed(new Change(Change.Kind.NAMESPACE, name.value()));
                AuditRows.record(tx, origin, "namespace.edit", name.value(), "skillsIndex " + shown);
            }
            return NamespaceRows.find(tx, name).orElseThrow();
        });
    }

    private static Problem missing(Namespace name) {
        return new Problem.NotFound("namespace " + name + " of this organization");
    }

    /// The namespaces of the caller's organization that the caller is not kept from, by name; at most 100.
    public List<NamespaceRecord> permitted(Caller.Known caller) {
        return permitted(caller, null, 100);
    }

    /// The same, those after `after`, at most `limit`. Restrictions of keys are not for SQL: so it goes through
    /// the rows until the page is full.
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
