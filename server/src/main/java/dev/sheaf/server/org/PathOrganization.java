package dev.sheaf.server.org;

import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.NamespaceRecord;
import dev.sheaf.model.wire.Organization;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.InvalidatedCache;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Tells which organization a request is about, from its path: for people, who may be members of several.
/// Thread-safe; what it knows is remembered until it changes.
public final class PathOrganization {
    private static final int REMEMBERED = 10_000;
    private static final String ADMINISTRATION = "/v1/admin/";
    private static final String ORGANIZATIONS = "/v1/organizations"; // where administrators make them

    private final Database database;
    private final InvalidatedCache<String, UUID> organizations;
    private final InvalidatedCache<String, UUID> namespaces;

    public PathOrganization(Database database) {
        this.database = database;
        this.organizations = new InvalidatedCache<>(database, REMEMBERED);
        this.namespaces = new InvalidatedCache<>(database, REMEMBERED);
        database.onChange(this::forget);
    }

    private void forget(Change change) {
        switch (change.kind()) {
            case NAMESPACE -> namespaces.forget(change.id());
            case EVERYTHING -> {
                organizations.forgetAll();
                namespaces.forgetAll();
            }
            case REPOSITORY, API_KEY, ORGANIZATION, SIGNING_KEY, SESSION, PUBLISHER, TOKEN -> {
                // an organization keeps its id and its handle for ever
            }
        }
    }

    /// The organization that a request is about: of what administrators of the installation do, the first one,
    /// whose admins they are, whatever else the path names.
    ///
    /// @param path as it was sent
    public Optional<UUID> about(String path, Map<String, String> parameters) {
        return path.startsWith(ADMINISTRATION) || path.equals(ORGANIZATIONS)
                ? database.read(OrganizationRows::first)
                : about(parameters);
    }

    /// The organization that `org_id` names, or that owns `namespace`; empty where the path names neither, or
    /// nothing that exists.
    public Optional<UUID> about(Map<String, String> parameters) {
        String organization = parameters.get("org_id");
        if (organization != null) {
            return organizations.get(
                    organization,
                    text -> database.read(tx -> OrganizationRows.find(tx, text)).map(Organization::id));
        }
        String namespace = parameters.get("namespace");
        return namespace == null ? Optional.empty() : namespaces.get(namespace, this::owner);
    }

    private Optional<UUID> owner(String text) {
        try {
            var name = Namespace.parse(text);
            return database.read(tx -> NamespaceRows.find(tx, name)).map(NamespaceRecord::organizationId);
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }
}
