package dev.sheaf.server.hub;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.StarStatus;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import java.util.function.Consumer;

/// Stars that organizations give to listed bundles: one each, by whichever of their keys. To give or take one again
/// changes nothing. Thread-safe.
public final class Stars {
    private final Database database;

    public Stars(Database database) {
        this.database = database;
    }

    /// @param check of how it is between the organization and the bundle now, which may refuse
    /// @return how many stars the bundle has then
    /// @throws ProblemException as [Hub#require]
    public long give(Origin origin, RepositoryName name, Consumer<StarStatus> check) {
        return database.write(tx -> {
            long repository = Hub.require(tx, name);
            Access.granted(origin.caller(), name, Grant.Action.PULL);
            check.accept(status(tx, repository, origin));
            if (StarRows.insert(tx, repository, origin.organizationId())) {
                AuditRows.record(tx, origin, "bundle.star", name.toString());
                return StarRows.add(tx, repository, 1);
            }
            return StarRows.count(tx, repository);
        });
    }

    /// @param check as in [#give]
    /// @return how many stars the bundle has then
    /// @throws ProblemException as [Hub#require]
    public long take(Origin origin, RepositoryName name, Consumer<StarStatus> check) {
        return database.write(tx -> {
            long repository = Hub.require(tx, name);
            Access.granted(origin.caller(), name, Grant.Action.PULL);
            check.accept(status(tx, repository, origin));
            if (StarRows.delete(tx, repository, origin.organizationId())) {
                AuditRows.record(tx, origin, "bundle.unstar", name.toString());
                return StarRows.add(tx, repository, -1);
            }
            return StarRows.count(tx, repository);
        });
    }

    private static StarStatus status(Tx tx, long repository, Origin origin) {
        return new StarStatus(StarRows.has(tx, repository, origin.organizationId()), StarRows.count(tx, repository));
    }
}
