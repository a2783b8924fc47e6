package dev.sheaf.server.hub;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.hub.StarStatus;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Grant;
import java.util.function.Consumer;

/// Stars of organizations for listed bundles. An organization has at most one star for a bundle, regardless of
/// the key used. Setting or removing it again changes nothing. Thread-safe.
public final class BundleStars {
    private final Database database;

    public BundleStars(Database database) {
        this.database = database;
    }

    /// Returns whether the caller's organization has starred the bundle.
    ///
    /// @throws ProblemException those of [Hub#require]
    public StarStatus get(Caller.Known caller, RepositoryName name) {
        return database.read(
                tx -> StarRows.status(tx, new StarRows.Pair(Hub.require(tx, name), caller.organizationId())));
    }

    /// Sets or removes a star.
    ///
    /// @param check receives the current status and may refuse by throwing
    /// @return the new status
    /// @throws ProblemException those of [Hub#require]
    public StarStatus set(ChangeOrigin origin, RepositoryName name, boolean starred, Consumer<StarStatus> check) {
        return database.write(tx -> {
            var pair = new StarRows.Pair(Hub.require(tx, name), origin.organizationId());
            Access.granted(origin.caller(), name, Grant.Action.PULL);
            check.accept(StarRows.status(tx, pair));
            if (StarRows.set(tx, pair, starred)) {
                AuditRows.record(tx, origin, starred ? "bundle.star" : "bundle.unstar", name.toString());
            }
            return StarRows.status(tx, pair);
        });
    }
}
