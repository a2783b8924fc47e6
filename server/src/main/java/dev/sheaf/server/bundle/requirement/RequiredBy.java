package dev.sheaf.server.bundle.requirement;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionRange;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import java.util.List;
import java.util.function.Predicate;

/// What keeps a version or a bundle from being deleted: versions of the own organization that need it. Others only
/// get warnings, and private bundles of others are never mentioned.
public final class RequiredBy {
    private static final int LOOKED_AT = 1_000;
    private static final int LOOKED_AT_OTHERS = 200;
    private static final int NAMED = 20;

    private RequiredBy() {}

    /// Refuses to delete a version if published versions of the own organization cannot be resolved without it.
    ///
    /// @throws ProblemException required-by
    public static void check(Tx tx, ChangeOrigin origin, BundleSnapshot bundle, VersionRow row) {
        if (row.isYanked()) {
            return; // nothing resolves to it
        }
        var others = VersionRows.published(tx, bundle.bundle().id()).stream()
                .filter(version -> !version.equals(row.version()))
                .toList();
        refuse(
                tx,
                origin,
                bundle,
                bundle.name() + ":" + row.version(),
                range -> isNeeded(range, row.version(), others));
    }

    /// Refuses to delete a bundle that published versions of the own organization need.
    ///
    /// @throws ProblemException required-by
    public static void check(Tx tx, ChangeOrigin origin, BundleSnapshot bundle) {
        refuse(tx, origin, bundle, bundle.name().toString(), range -> true);
    }

    private static boolean isNeeded(String text, Version version, List<Version> others) {
        return VersionRange.find(text)
                .filter(range -> range.contains(version) && others.stream().noneMatch(range::contains))
                .isPresent();
    }

    private static void refuse(
            Tx tx, ChangeOrigin origin, BundleSnapshot bundle, String what, Predicate<String> isNeeded) {
        var needs = DependentRows.needs(tx, bundle.repository().id(), bundle.organizationId(), LOOKED_AT).stream()
                .filter(need -> !need.name().equals(bundle.name()))
                .filter(need -> Access.mayRead(origin.caller(), need))
                .filter(need -> isNeeded.test(need.versionRange()))
                .map(need -> need.name() + ":" + need.version())
                .distinct()
                .limit(NAMED)
                .toList();
        if (!needs.isEmpty()) {
            throw new Problem.RequiredBy(what, needs).raise();
        }
    }

    /// Returns the names of bundles that require the bundle and that the caller may read, at most 20, for a warning.
    public static List<String> dependents(Tx tx, ChangeOrigin origin, BundleSnapshot bundle) {
        return DependentRows.page(tx, bundle.repository().id(), null, null, true, LOOKED_AT_OTHERS).stream()
                .filter(row -> Access.mayRead(origin.caller(), row))
                .map(row -> row.name().toString())
                .limit(NAMED)
                .toList();
    }
}
