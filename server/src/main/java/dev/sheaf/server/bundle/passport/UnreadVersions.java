package dev.sheaf.server.bundle.passport;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.VersionRows.Unread;
import dev.sheaf.server.hub.HubIndex;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import org.jspecify.annotations.Nullable;

/// Reads the versions whose risk is not known: those that OCI clients and the console publish, those of older programs,
/// and all once the rules of passports change. One version at a time, so that the memory stays small.
public final class UnreadVersions {
    private static final int AT_ONCE = 20;
    private static final int MOST_FAILURES = 3;

    private final Database database;
    private final Repositories repositories;
    private final VersionPassports passports;

    public UnreadVersions(Database database, Repositories repositories, VersionPassports passports) {
        this.database = database;
        this.repositories = repositories;
        this.passports = passports;
    }

    /// Reads at most 20 versions, the newest first. Returns false if none is left.
    ///
    /// @throws ProblemException service-unavailable if the node is busy or the files cannot be read now
    public boolean readSome() {
        var some = database.read(tx -> VersionRows.unread(tx, AT_ONCE));
        int failures = 0;
        for (var version : some) {
            try {
                read(version);
            } catch (ProblemException e) {
                failures++;
                if (failures == MOST_FAILURES) { // the node is busy, or the storage is away
                    throw e;
                }
            }
        }
        return some.size() == AT_ONCE;
    }

    private void read(Unread version) {
        var repository = repositories.find(version.ref());
        if (repository.isEmpty()) {
            return; // deleted meanwhile
        }
        var passport = passport(repository.get(), version);
        database.write(tx -> {
            var risk = passport == null ? null : VersionRisk.of(passport, VersionRows.warningCodes(tx, version.id()));
            VersionRows.keep(tx, version.id(), risk);
            if (risk != null) {
                HubIndex.keep(tx, version.bundleId(), version.version(), risk);
            }
            return version;
        });
    }

    /// Returns the passport; null if files are damaged or gone.
    private @Nullable Passport passport(Repository repository, Unread version) {
        var assets = database.read(tx -> AssetRows.list(tx, version.id()));
        try {
            return passports.of(repository, version.digest(), assets, bytes -> {});
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.BlobUnknown) {
                return null;
            }
            throw e;
        }
    }
}
