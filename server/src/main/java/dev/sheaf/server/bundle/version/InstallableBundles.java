package dev.sheaf.server.bundle.version;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.SkillTexts;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.check.SkillChecks;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Finds bundles that `sheaf add` installs without a question. Thread-safe.
public final class InstallableBundles {
    private static final int MOST = 20; // that are looked at

    private final Database database;
    private final Bundles bundles;

    public InstallableBundles(Database database, Bundles bundles) {
        this.database = database;
        this.bundles = bundles;
    }

    /// Returns the first of these bundles that the caller may see and that can be installed: its latest version has
    /// a valid skill and nothing that runs by itself, was read to its end, and has no finding of high severity.
    /// Looks at 20 at most.
    public Optional<RepositoryName> first(Caller caller, Collection<RepositoryName> names) {
        return names.stream()
                .limit(MOST)
                .filter(name -> bundles.find(name)
                        .filter(bundle -> Access.mayRead(caller, bundle))
                        .filter(bundle -> database.read(tx -> isInstallable(tx, bundle)))
                        .isPresent())
                .findFirst();
    }

    private static boolean isInstallable(Tx tx, BundleSnapshot bundle) {
        return VersionRows.latest(tx, bundle.bundle().id())
                .filter(latest -> isHarmless(tx, latest))
                .filter(latest ->
                        SkillTexts.of(tx, bundle.name().bundle().value(), AssetRows.list(tx, latest.id()), List.of())
                                .stream()
                                .anyMatch(SkillTexts.Entry::isListed))
                .isPresent();
    }

    private static boolean isHarmless(Tx tx, VersionRow version) {
        var risk = VersionRows.risk(tx, version.id());
        return risk.extent() == VersionRisk.Extent.WHOLE // a version that was not read yet is not harmless
                && !risk.isHigh()
                && !VersionRows.warningCodes(tx, version.id()).contains(SkillChecks.RUNS);
    }
}
