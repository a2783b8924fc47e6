package dev.sheaf.server.org;

import dev.sheaf.model.Handle;
import dev.sheaf.model.Scope;
import dev.sheaf.model.Secret;
import dev.sheaf.server.auth.KeyFormat;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.db.Database;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// The first start of an installation: one organization with one admin key, and no other default credential.
public final class Bootstrap {
    private final Database database;
    private final ApiKeys keys;

    public Bootstrap(Database database, ApiKeys keys) {
        this.database = database;
        this.keys = keys;
    }

    /// Creates the organization and its key where the installation has none.
    ///
    /// @param keep puts the secret where the operator finds it; called before the key exists, so that it cannot get
    /// lost
    /// @return the secret, or empty where there was an organization already
    public Optional<Secret> run(Handle handle, Consumer<Secret> keep) {
        if (!database.read(OrganizationRows::isEmpty)) {
            return Optional.empty();
        }
        var secret = KeyFormat.generate();
        keep.accept(secret);
        create(handle, secret);
        return Optional.of(secret);
    }

    /// Creates an organization whose one admin key has this secret.
    public void create(Handle handle, Secret secret) {
        database.write(tx -> {
            var organization = OrganizationRows.insert(tx, handle, handle.value());
            var key =
                    new NewKey("bootstrap", "Made with the organization", Set.of(Scope.ADMIN), null, Restrictions.NONE);
            return keys.createFirst(tx, organization, key, secret);
        });
    }
}
