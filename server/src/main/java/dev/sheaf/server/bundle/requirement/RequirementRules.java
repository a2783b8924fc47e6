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
import org.jspecify.annotations.Nullable;

/// The rule for what a version may require: everybody who can read the version can read the other bundle too, and a
/// published version of that is in the range. A bundle that the caller may not read is refused like a missing one, so
/// that nobody learns of it.
public final class RequirementRules {
    private RequirementRules() {}

    /// The bundle of the version.
    ///
    /// @param visibility the visibility that it will have
    /// @param approved whether its policy lets it require only approved versions
    public record Dependent(RepositoryName name, UUID organizationId, Visibility visibility, boolean approved) {
        private boolean isReadableWith(Access.Target required) {
            return required.visibility() == Visibility.PUBLIC
                    || (visibility == Visibility.PRIVATE && organizationId.equals(required.organizationId()));
        }
    }

    /// Returns what is wrong with each requirement, by its index.
    public static Map<Integer, Problem> check(Tx tx, Caller caller, Dependent dependent, List<Requirement> requires) {
        var problems = new HashMap<Integer, Problem>();
        var found = RequirementRows.bundles(tx, requires);
        for (int i = 0; i < requires.size(); i++) {
            var requirement = requires.get(i);
            int index = i;
            refusal(tx, caller, dependent, requirement, found.get(requirement.bundle()))
                    .ifPresent(why -> problems.put(
                            index, new Problem.RequirementNotReadable(dependent.name(), requirement.bundle(), why)));
        }
        return problems;
    }

    private static Optional<String> refusal(
            Tx tx,
            Caller caller,
            Dependent dependent,
            Requirement requirement,
            RequirementRows.@Nullable Required required) {
        if (required == null || !Access.mayRequire(caller, required)) {
            return Optional.of("there is no such bundle that this credential may read; require another one");
        }
        if (!dependent.isReadableWith(required)) {
            return Optional.of("not everybody who can read " + dependent.name() + " could read it; make it public, or"
                    + " require another one");
        }
        if (VersionRows.published(tx, required.bundleId()).stream().noneMatch(requirement::admits)) {
            return Optional.of("none of its published versions is in the range " + requirement.range());
        }
        return !dependent.approved()
                        || RequirementRows.approved(tx, required.bundleId()).stream()
                                .anyMatch(requirement::admits)
                ? Optional.empty()
                : Optional.of("none of its versions in the range " + requirement.range()
                        + " was approved by review, which" + " the policy of " + dependent.name() + " asks for");
    }
}
