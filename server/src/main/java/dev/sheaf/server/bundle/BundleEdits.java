package dev.sheaf.server.bundle;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.AuditRows;
import dev.sheaf.server.registry.Repositories;

/// Changes of a bundle that are no new version. Thread-safe.
public final class BundleEdits {
    private final Database database;
    private final Bundles bundles;

    public BundleEdits(Database database, Bundles bundles) {
        this.database = database;
        this.bundles = bundles;
    }

    /// Advises against the bundle, which still works. The same again changes nothing.
    ///
    /// @throws ProblemException as [Bundles#writable]
    public Bundles.Overview deprecate(Origin origin, RepositoryName name, Deprecation deprecation) {
        return database.write(tx -> {
            var before = bundles.lock(tx, origin, name);
            var id = before.bundle().id();
            if (!deprecation.equals(before.bundle().deprecation())) {
                BundleRows.deprecate(tx, id, deprecation);
                Repositories.announce(tx, name);
                OutboxRows.emit(
                        tx,
                        origin.organizationId(),
                        new Event.BundleDeprecated(id, name.toString(), deprecation.message()));
                AuditRows.record(tx, origin, "bundle.deprecate", name.toString());
            }
            return Bundles.overview(tx, bundles.lock(tx, origin, name));
        });
    }

    /// @throws ProblemException as [Bundles#writable]
    public Bundles.Overview undeprecate(Origin origin, RepositoryName name) {
        return database.write(tx -> {
            var before = bundles.lock(tx, origin, name);
            var id = before.bundle().id();
            if (before.bundle().deprecation() != null) {
                BundleRows.deprecate(tx, id, null);
                Repositories.announce(tx, name);
                OutboxRows.emit(tx, origin.organizationId(), new Event.BundleUndeprecated(id, name.toString()));
                AuditRows.record(tx, origin, "bundle.undeprecate", name.toString());
            }
            return Bundles.overview(tx, bundles.lock(tx, origin, name));
        });
    }
}
