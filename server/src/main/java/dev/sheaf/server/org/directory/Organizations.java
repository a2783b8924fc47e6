package dev.sheaf.server.org.directory;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Role;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.org.CreatedOrganization;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.OrganizationRows;
import dev.sheaf.server.org.ReservedNames;
import dev.sheaf.server.org.key.ApiKeyRows;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.org.key.NewKey;
import dev.sheaf.server.org.member.Members;
import dev.sheaf.server.org.member.MembershipRows;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Organizations, the owners of namespaces and keys.
public final class Organizations {
    private final Database database;
    private final ApiKeys keys;
    private final boolean selfService;

    /// @param selfService whether every person who is signed in may create organizations
    public Organizations(Database database, ApiKeys keys, boolean selfService) {
        this.database = database;
        this.keys = keys;
        this.selfService = selfService;
    }

    /// Creates an organization with one admin key. A person who is signed in becomes its owner.
    ///
    /// @throws ProblemException name-taken, name-reserved; not-administrator if the caller may not create
    /// organizations
    public CreatedOrganization create(ChangeOrigin origin, NewOrganization wanted) {
        var handle = wanted.handle();
        var person = origin.caller().credential() instanceof Credential.Session session ? session : null;
        if (person != null && selfService) {
            Access.inPerson(origin.caller());
        } else {
            Access.administrator(
                    origin.caller(), database.read(OrganizationRows::first).orElseThrow());
        }
        if (ReservedNames.contains(new Namespace(handle.value()))) {
            throw new Problem.NameReserved(handle.value()).raise();
        }
        Secret secret = KeyFormat.generate();
        var stored = keys.prepare(secret);
        return database.write(tx -> {
            UUID id = TimeOrderedIds.next(tx.now());
            if (!OrganizationRows.insertNew(tx, id, handle, wanted.name())) {
                throw new Problem.NameTaken("the handle " + Quoted.of(handle.value())).raise();
            }
            var first = new NewKey(
                    "admin", "Made with the organization", Set.of(Scope.ADMIN), null, CredentialRestrictions.NONE);
            UUID key = keys.createFirst(tx, id, first, stored, origin.actor());
            OutboxRows.emit(tx, origin.in(id), new Event.OrganizationCreated(id, handle.value()));
            AuditRows.record(tx, origin.in(id), "organization.create", handle.value());
            if (person != null) {
                Members.join(tx, id, person.userId(), Role.OWNER, origin.actor());
            }
            return CreatedOrganization.of(
                    OrganizationRows.find(tx, id).orElseThrow(),
                    ApiKeyRows.find(tx, id, key).orElseThrow().wire().withKey(secret.expose()));
        });
    }

    /// Renames the caller's organization.
    ///
    /// @param name null for no change
    /// @param check inspects the current organization, and may refuse
    public Organization rename(ChangeOrigin origin, @Nullable String name, Consumer<Organization> check) {
        Access.unrestricted(origin.caller());
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            var before = OrganizationRows.find(tx, origin.organizationId()).orElseThrow();
            check.accept(before);
            if (name != null && !name.equals(before.name())) {
                OrganizationRows.rename(tx, before.id(), name);
                tx.changed(
                        new DataChange(DataChange.Kind.ORGANIZATION, before.id().toString()));
                OutboxRows.emit(tx, origin, new Event.OrganizationUpdated(before.id(), before.handle(), name));
                AuditRows.record(tx, origin, "organization.rename", before.handle(), before.name() + " to " + name);
            }
            return OrganizationRows.find(tx, before.id()).orElseThrow();
        });
    }

    /// Returns the organizations that the caller can act for: the organization of a key, or all organizations
    /// that a person belongs to. Sorted by id, starting after the id `after`.
    public List<Organization> mine(Caller.Known caller, @Nullable String after, int limit) {
        return database.read(tx -> OrganizationRows.list(
                tx,
                caller.credential() instanceof Credential.Session session
                        ? MembershipRows.of(tx, session.userId()).keySet()
                        : Set.of(caller.organizationId()),
                after == null ? "" : after,
                limit));
    }

    /// Returns an organization that exists.
    public Organization get(UUID id) {
        return database.read(tx -> OrganizationRows.find(tx, id)).orElseThrow();
    }

    /// Finds any organization by its id or handle. For administrators of the installation, and for checks.
    ///
    /// @throws ProblemException not-found
    public static Organization find(Tx tx, String idOrHandle) {
        return OrganizationRows.find(tx, idOrHandle)
                .orElseThrow(() -> new Problem.NotFound("organization " + Quoted.of(idOrHandle)).raise());
    }

    /// Returns the caller's organization; empty for people without a membership.
    public Optional<Organization> of(Caller.Known caller) {
        return database.read(tx -> OrganizationRows.find(tx, caller.organizationId()));
    }
}
