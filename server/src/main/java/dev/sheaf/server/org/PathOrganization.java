package dev.sheaf.server.org;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.PathOwners;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.InvalidatedCache;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Tells which organization a request is about, from its path: for people, who may be members of several.
/// Thread-safe; what it knows is remembered until it changes.
public final class PathOrganization implements PathOwners {
    private static final String FIRST = "first";
    private static final int REMEMBERED = 10_000;
    private static final String ADMINISTRATION = "/v1/admin/";
    private static final String ORGANIZATIONS = "/v1/organizations"; // where administrators make them

    private final Database database;
    private final InvalidatedCache<String, UUID> organizations;
    private final InvalidatedCache<UUID, String> handles;
    private final InvalidatedCache<String, UUID> namespaces;
    private final InvalidatedCache<String, UUID> firsts;

    public PathOrganization(Database database) {
        this.database = database;
        this.organizations = new InvalidatedCache<>(database, REMEMBERED);
        this.handles = new InvalidatedCache<>(database, REMEMBERED);
        this.namespaces = new InvalidatedCache<>(database, REMEMBERED);
        this.firsts = new InvalidatedCache<>(database, 1);
        database.onChange(this::forget);
    }

    private void forget(Change change) {
        switch (change.kind()) {
            case NAMESPACE -> namespaces.forget(change.id());
            case EVERYTHING -> {
                organizations.forgetAll();
                handles.forgetAll();
                namespaces.forgetAll();
                firsts.forgetAll();
            }
            case REPOSITORY,
                    API_KEY,
                    ORGANIZATION,
                    SIGNING_KEY,
                    SESSION,
                    PUBLISHER,
                    TOKEN,
                    WEBHOOK,
                    QUEUE,
                    EVENT,
                    FEED -> {
                // an organization keeps its id and its handle for ever
            }
        }
    }

    /// Of what administrators of the installation do, the first organization, whose admins they are, whatever
    /// else the path names.
    @Override
    public Optional<UUID> organization(String path, Map<String, String> parameters) {
        if (path.startsWith(ADMINISTRATION) || path.equals(ORGANIZATIONS)) {
            return first();
        }
        String organization = parameters.get("org_id");
        String namespace = parameters.get("namespace");
        return organization != null
                ? find(organization)
                : namespace == null ? Optional.empty() : namespaces.get(namespace, this::owner);
    }

    /// The organization of that id or handle.
    public Optional<UUID> find(String idOrHandle) {
        return organizations.get(
                idOrHandle,
                text -> database.read(tx -> OrganizationRows.find(tx, text)).map(Organization::id));
    }

    private Optional<UUID> owner(String text) {
        try {
            var name = Namespace.parse(text);
            return database.read(tx -> NamespaceRows.find(tx, name)).map(NamespaceRecord::organizationId);
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    /// Looks at the caller's organization only, so that the time tells nothing of others.
    @Override
    public UUID own(Caller.Known caller, String idOrHandle) {
        UUID own = caller.organizationId();
        return handles.get(own, id -> database.read(tx -> OrganizationRows.handle(tx, id)))
                .filter(handle -> idOrHandle.equals(handle) || idOrHandle.equals(own.toString()))
                .map(handle -> own)
                .orElseThrow(() -> new Problem.NotFound("organization " + Quoted.of(idOrHandle)).raise());
    }

    @Override
    public void administrator(Caller.Known caller) {
        Access.administrator(caller, first().orElseThrow());
    }

    /// The organization that the installation began with, which stays so.
    private Optional<UUID> first() {
        return firsts.get(FIRST, asked -> database.read(OrganizationRows::first));
    }
}
