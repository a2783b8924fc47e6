package dev.sheaf.server.bundle.requirement;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.bundle.review.ReviewRows;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

public final class RequirementRows {
    private RequirementRows() {}

    /// Inserts what a new version requires, with the present owners of the namespaces.
    public static void insert(Tx tx, UUID versionId, RepositoryName by, List<Requirement> requires) {
        record Sent(String namespace, String bundle, String range, boolean optional) {}
        if (requires.isEmpty()) {
            return;
        }
        var rows = requires.stream()
                .map(requirement -> new Sent(
                        requirement.bundle().namespace().value(),
                        requirement.bundle().bundle().value(),
                        requirement.range(),
                        requirement.optional()))
                .toList();
        tx.each("""
                INSERT INTO version_requirement (version_id, repository_id, version_range, optional, owner_id,
                                                 by_namespace, by_bundle)
                SELECT :version, r.id, :range, :optional, n.organization_id, :byNamespace, :byBundle
                FROM repository r JOIN namespace n ON n.name = r.namespace
                WHERE r.namespace = :namespace AND r.name = :bundle
                """, rows, "version", versionId, "byNamespace", by.namespace(), "byBundle", by.bundle());
    }

    /// Returns what a version requires, by name.
    public static List<Requirement> list(Tx tx, UUID versionId) {
        return Requirement.sorted(tx.list("""
                        SELECT r.namespace, r.name AS bundle, q.version_range AS range, q.optional
                        FROM version_requirement q JOIN repository r ON r.id = q.repository_id
                        WHERE q.version_id = :version
                        """, Requirement.class, "version", versionId));
    }

    /// A bundle that is required.
    record Required(UUID bundleId, RepositoryName name, UUID organizationId, Visibility visibility)
            implements Access.Target {}

    /// Returns the existing ones of the required bundles, by name.
    static Map<RepositoryName, Required> bundles(Tx tx, List<Requirement> requires) {
        return requires.isEmpty()
                ? Map.of()
                : tx
                        .list(
                                """
                                SELECT b.id AS bundle_id, r.namespace, r.name AS bundle, n.organization_id, r.visibility
                                FROM repository r JOIN namespace n ON n.name = r.namespace
                                JOIN bundle b ON b.repository_id = r.id AND b.deleted_at IS NULL
                                WHERE r.namespace IN (<namespaces>) AND r.name IN (<bundles>) AND r.deleted_at IS NULL
                                """,
                                Required.class,
                                "namespaces",
                                requires.stream()
                                        .map(one -> one.bundle().namespace())
                                        .distinct()
                                        .toList(),
                                "bundles",
                                requires.stream()
                                        .map(one -> one.bundle().bundle())
                                        .distinct()
                                        .toList())
                        .stream()
                        .collect(Collectors.toMap(Required::name, one -> one));
    }

    /// Returns the published versions of a bundle that were approved.
    static List<Version> approved(Tx tx, UUID bundleId) {
        return tx.list(
                "SELECT v.version FROM version v JOIN bundle b ON b.id = v.bundle_id"
                        + " WHERE v.bundle_id = :bundle AND v.state = 'published' AND " + ReviewRows.IS_APPROVED,
                Version.class,
                "bundle",
                bundleId);
    }

    /// Returns a required bundle that is not public, if a published version requires one: then the bundle cannot
    /// become public.
    public static Optional<RepositoryName> anyPrivate(Tx tx, UUID bundleId) {
        return tx.first("""
                        SELECT r.namespace, r.name AS bundle
                        FROM version v JOIN version_requirement q ON q.version_id = v.id
                        JOIN repository r ON r.id = q.repository_id
                        WHERE v.bundle_id = :bundle AND v.state = 'published' AND r.visibility <> 'public'
                        ORDER BY r.namespace, r.name LIMIT 1
                        """, RepositoryName.class, "bundle", bundleId);
    }

    /// Returns requirements as text, one a line.
    public static String lines(List<Requirement> requires) {
        return requires.stream()
                .map(one -> one.bundle() + " " + (one.optional() ? 1 : 0) + " " + one.range())
                .collect(Collectors.joining("\n"));
    }

    /// Returns the requirements in a text of [#lines].
    public static List<Requirement> ofLines(String lines) {
        return lines.lines()
                .map(line -> line.split(" ", 3))
                .map(parts -> new Requirement(RepositoryName.parseAny(parts[0]), parts[2], parts[1].equals("1")))
                .toList();
    }
}
