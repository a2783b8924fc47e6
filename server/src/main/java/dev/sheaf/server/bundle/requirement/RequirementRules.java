package dev.sheaf.server.bundle.requirement;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.VersionRows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The rule for what a version may require: everybody who can read the version can read the other bundle too, and a
/// published version of that is in the range. A bundle that the caller may not read is refused like a missing one, so
/// that nobody learns of it.
public final class RequirementRules {
    private RequirementRules() {}

    /// The bundle of the version.
    ///
    /// @param visibility the visibility that it will have
    public record Dependent(RepositoryName name, UUID organizationId, Visibility visibility) {
        private boolean isReadableWith(Access.Target required) {
            return required.visibility() == Visibility.PUBLIC
                    || (visibility == Visibility.PRIVATE && organizationId.equals(required.organizationId()));
        }
    }

    /// A bundle that is required.
    private record Required(UUID bundleId, RepositoryName name, UUID organizationId, Visibility visibility)
            implements Access.Target {}

    /// Returns what is wrong with each requirement, by its index.
    public static Map<Integer, Problem> check(
            Tx tx, Caller caller, Dependent dependent, List<Requirement> requires) {
        var problems = new HashMap<Integer, Problem>();
        var found = find(tx, requires);
        for (int i = 0; i < requires.size(); i++) {
            var requirement = requires.get(i);
            int index = i;
            refusal(tx, caller, dependent, requirement, found.get(requirement.bundle()))
                    .ifPresent(why -> problems.put(
                            index,
                            new Problem.RequirementNotReadable(dependent.name(), requirement.bundle(), why)));
        }
        return problems;
    }

    private static Optional<String> refusal(
            Tx tx, Caller caller, Dependent dependent, Requirement requirement, @Nullable Required required) {
        if (required == null || !Access.mayRequire(caller, required)) {
            return Optional.of("there is no such bundle that this credential may read; require another one");
        }
        if (!dependent.isReadableWith(required)) {
            return Optional.of("not everybody who can read " + dependent.name() + " could read it; make it public, or"
                    + " require another one");
        }
        return VersionRows.published(tx, required.bundleId()).stream().anyMatch(requirement::admits)
                ? Optional.empty()
                : Optional.of("none of its published versions is in the range " + requirement.range());
    }

    private static Map<RepositoryName, Required> find(Tx tx, List<Requirement> requires) {
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
}
