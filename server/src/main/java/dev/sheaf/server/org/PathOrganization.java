package dev.sheaf.server.org;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.PathOwners;
import dev.sheaf.server.heap.HeapShare;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Finds the organization of a request by its path, because a person may belong to several. Results are cached
/// until they change. Thread-safe.
public final class PathOrganization implements PathOwners {
    private static final String FIRST = "first";
    private static final int REMEMBERED = HeapShare.ORGANIZATIONS.entries(6, 200 + HeapShare.ENTRY);
    private static final String ADMINISTRATION = "/v1/admin/";
    private static final String ORGANIZATIONS = "/v1/organizations"; // administrators create them here
    private static final String PAGES = "/admin";
    private static final String ORGANIZATION_PAGE = "/organizations";

    private final Database database;
    private final InvalidatedCache<String, UUID> organizations;
    private final InvalidatedCache<UUID, String> handles;
    private final InvalidatedCache<String, UUID> namespaces;
    private final InvalidatedCache<String, UUID> firsts;

    public PathOrganization(Database database) {
        this.database = database;
        this.organizations = new InvalidatedCache<>(database, "organizations", REMEMBERED);
        this.handles = new InvalidatedCache<>(database, "handles", REMEMBERED);
        this.namespaces = new InvalidatedCache<>(database, "namespaces", REMEMBERED);
        this.firsts = new InvalidatedCache<>(database, "first-organization", 1);
        database.onChange(this::forget);
    }

    private void forget(DataChange change) {
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
                // id and handle of an organization never change
            }
        }
    }

    /// Returns the organization that a path is about. Administrative paths always belong to the first
    /// organization, because its admins are the administrators of the installation.
    @Override
    public Optional<UUID> organization(String path, Map<String, String> parameters) {
        if (isAdministrative(path)) {
            return first();
        }
        String organization = parameters.get("org_id");
        String namespace = parameters.get("namespace");
        return organization != null
                ? find(organization)
                : namespace == null ? Optional.empty() : namespaces.get(namespace, this::owner);
    }

    private static boolean isAdministrative(String path) {
        return path.startsWith(ADMINISTRATION)
                || path.equals(ORGANIZATIONS)
                || path.equals(PAGES)
                || path.startsWith(PAGES + "/")
                || path.equals(ORGANIZATION_PAGE);
    }

    /// Finds the organization with this id or handle.
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

    /// Compares only with the caller's organization, so that the duration discloses nothing about other
    /// organizations.
    @Override
    public UUID own(Caller.Known caller, String idOrHandle) {
        UUID own = caller.organizationId();
        return handles.get(own, id -> database.read(tx -> OrganizationRows.handle(tx, id)))
                .filter(handle -> idOrHandle.equals(handle) || idOrHandle.equals(own.toString()))
                .map(handle -> own)
                .orElseThrow(() ->
                        new Problem.NotFound("for this credential, organization " + Quoted.of(idOrHandle)).raise());
    }

    @Override
    public void administrator(Caller.Known caller) {
        Access.administrator(caller, first().orElseThrow(() -> new Problem.NotAdministrator().raise()));
    }

    @Override
    public boolean isAdministrator(Caller.Known caller) {
        return first().filter(first -> Access.isAdministrator(caller, first)).isPresent();
    }

    /// Returns the installation's first organization, which never changes.
    @Override
    public Optional<UUID> first() {
        return firsts.get(FIRST, asked -> database.read(OrganizationRows::first));
    }
}
