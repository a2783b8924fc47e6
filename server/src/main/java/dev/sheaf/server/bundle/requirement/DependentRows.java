package dev.sheaf.server.bundle.requirement;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The bundles that require a bundle, by name. Each statement reads one page of an index, whatever their number.
final class DependentRows {
    private static final String FROM = """
            FROM version_requirement q JOIN version v ON v.id = q.version_id AND v.state = 'published'
            JOIN repository r ON r.namespace = q.by_namespace AND r.name = q.by_bundle AND r.deleted_at IS NULL
            JOIN namespace n ON n.name = r.namespace
            WHERE q.repository_id = :repository
            """;

    private DependentRows() {}

    /// A dependent with the newest of its published versions that require the bundle.
    record Row(RepositoryName name, UUID organizationId, Visibility visibility, UUID versionId)
            implements Access.Target {}

    /// Returns dependents after one, by name.
    ///
    /// @param after the name of a dependent; null to begin
    /// @param organization the organization whose private bundles are among them; null for none, and those of all
    /// organizations are among them if `all`
    static List<Row> page(
            Tx tx,
            long repositoryId,
            @Nullable RepositoryName after,
            @Nullable UUID organization,
            boolean all,
            int limit) {
        return tx.list(
                "SELECT q.by_namespace AS namespace, q.by_bundle AS bundle, n.organization_id, r.visibility,"
                        + " max(q.version_id) AS version_id "
                        + FROM
                        + " AND (q.by_namespace, q.by_bundle) > (:afterNamespace, :afterBundle)"
                        + (all ? "" : " AND (r.visibility = 'public' OR n.organization_id = :organization)")
                        + " GROUP BY q.by_namespace, q.by_bundle, n.organization_id, r.visibility"
                        + " ORDER BY q.by_namespace, q.by_bundle LIMIT :limit",
                Row.class,
                "repository",
                repositoryId,
                "afterNamespace",
                after == null ? "" : after.namespace().value(),
                "afterBundle",
                after == null ? "" : after.bundle().value(),
                "organization",
                organization,
                "limit",
                limit);
    }

    /// What a version requires of a bundle.
    record Use(UUID versionId, UUID bundleId, Version version, String versionRange, boolean optional) {}

    /// Returns what versions require of a bundle.
    static List<Use> uses(Tx tx, long repositoryId, Collection<UUID> versions) {
        return versions.isEmpty()
                ? List.of()
                : tx.list("""
                        SELECT q.version_id, v.bundle_id, v.version, q.version_range, q.optional
                        FROM version_requirement q JOIN version v ON v.id = q.version_id
                        WHERE q.repository_id = :repository AND q.version_id IN (<versions>)
                        """, Use.class, "repository", repositoryId, "versions", versions);
    }

    /// A published version that needs a bundle.
    record Need(RepositoryName name, UUID organizationId, Visibility visibility, Version version, String versionRange)
            implements Access.Target {}

    /// Returns the published versions of an organization that cannot do without a bundle.
    static List<Need> needs(Tx tx, long repositoryId, UUID organization, int limit) {
        return tx.list(
                "SELECT q.by_namespace AS namespace, q.by_bundle AS bundle, n.organization_id, r.visibility, v.version,"
                        + " q.version_range "
                        + FROM
                        + " AND q.optional = 0"
                        + " AND q.by_namespace IN (SELECT name FROM namespace WHERE organization_id = :organization)"
                        + " ORDER BY q.by_namespace, q.by_bundle, q.version_id LIMIT :limit",
                Need.class,
                "repository",
                repositoryId,
                "organization",
                organization,
                "limit",
                limit);
    }

    // --- changes of which dependents still have to be told ---

    /// A change.
    ///
    /// @param version null for the whole bundle
    record Change(
            UUID id,
            long repositoryId,
            @Nullable Version version,
            UUID changedId,
            String cause,
            String reachedNamespace,
            String reachedBundle) {
        /// Returns the last dependent that was told; null if none was.
        @Nullable
        RepositoryName reached() {
            return reachedNamespace.isEmpty() ? null : RepositoryName.parseAny(reachedNamespace + "/" + reachedBundle);
        }
    }

    static boolean isRequired(Tx tx, long repositoryId) {
        return tx.has(
                "SELECT 1 FROM version_requirement WHERE repository_id = :repository", "repository", repositoryId);
    }

    static void insert(Tx tx, long repositoryId, @Nullable Version version, UUID changedId, String cause) {
        tx.later(
                """
                INSERT INTO dependency_change (id, repository_id, version, changed_id, cause, reached_namespace, reached_bundle)
                VALUES (:id, :repository, :version, :changedId, :cause, '', '')
                """,
                "id",
                TimeOrderedIds.next(tx.now()),
                "repository",
                repositoryId,
                "version",
                version,
                "changedId",
                changedId,
                "cause",
                cause);
    }

    static Optional<Change> next(Tx tx) {
        return tx.first("SELECT * FROM dependency_change ORDER BY id LIMIT 1", Change.class);
    }

    /// Returns whether an organization may learn of a change: what became private is its owner's alone.
    static boolean isFor(Tx tx, Change change, UUID organization) {
        return tx.find("""
                        SELECT r.id FROM repository r JOIN namespace n ON n.name = r.namespace
                        WHERE r.id = :repository AND (r.visibility = 'public' OR n.organization_id = :organization)
                        """, Long.class, "repository", change.repositoryId(), "organization", organization)
                .isPresent();
    }

    static void reach(Tx tx, Change change, RepositoryName last) {
        tx.change(
                "UPDATE dependency_change SET reached_namespace = :namespace, reached_bundle = :bundle WHERE id = :id",
                "id",
                change.id(),
                "namespace",
                last.namespace(),
                "bundle",
                last.bundle());
    }

    static void done(Tx tx, Change change) {
        tx.change("DELETE FROM dependency_change WHERE id = :id", "id", change.id());
    }
}
