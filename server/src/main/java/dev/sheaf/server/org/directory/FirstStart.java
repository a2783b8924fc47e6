package dev.sheaf.server.org.directory;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.StoredFacts;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Handle;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.audit.AuditEntry;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.org.OrganizationRows;
import dev.sheaf.server.org.key.ApiKeyRows;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.org.key.NewKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/// The first start of an installation. It creates one organization with one admin key, and no other default
/// credential.
public final class FirstStart {
    private static final String MADE_WITH = "master-key";

    private final Database database;
    private final ApiKeys keys;

    public FirstStart(Database database, ApiKeys keys) {
        this.database = database;
        this.keys = keys;
    }

    /// Returns whether the installation uses this master secret. The first call stores the secret. If the
    /// stored secret is one of `previous`, the new one replaces it. With another secret, every API key would be
    /// unknown.
    public boolean wasMadeWith(MasterSecret secret, List<MasterSecret> previous) {
        return database.write(tx -> previous.stream()
                        .anyMatch(old -> StoredFacts.replace(tx, MADE_WITH, old.fingerprint(), secret.fingerprint()))
                || StoredFacts.note(tx, MADE_WITH, secret.fingerprint())
                || StoredFacts.find(tx, MADE_WITH)
                        .filter(secret.fingerprint()::equals)
                        .isPresent());
    }

    /// Returns whether the first start is still to come.
    public boolean isYetToCome() {
        return database.read(OrganizationRows::isEmpty);
    }

    /// Creates the organization and its key if the installation has no organization. If several nodes start at
    /// the same time, only one of them creates it.
    ///
    /// @param keep stores the secret in a place where the operator finds it; called before the key is
    /// committed, so that the secret cannot get lost, and only on the node that creates the key
    /// @return the secret; empty if an organization existed already
    public Optional<Secret> run(Handle handle, Consumer<Secret> keep) {
        if (!isYetToCome()) {
            return Optional.empty();
        }
        var secret = KeyFormat.generate();
        var stored = keys.prepare(secret);
        return database.write(tx -> {
            var id = TimeOrderedIds.next(tx.now());
            if (!OrganizationRows.beFirst(tx, id)) {
                return Optional.empty();
            }
            create(tx, id, handle, stored);
            keep.accept(secret);
            return Optional.of(secret);
        });
    }

    /// Creates an organization with one admin key that has this secret.
    public void create(Handle handle, Secret secret) {
        var stored = keys.prepare(secret);
        database.write(tx -> create(tx, TimeOrderedIds.next(tx.now()), handle, stored));
    }

    private UUID create(Tx tx, UUID organization, Handle handle, ApiKeyRows.Stored stored) {
        OrganizationRows.insertNew(tx, organization, handle, handle.value());
        AuditRows.insert(tx, AuditEntry.ofSystem(organization, "organization.create", handle.value()));
        var key = new NewKey(
                "bootstrap", "Made with the organization", Set.of(Scope.ADMIN), null, CredentialRestrictions.NONE);
        return keys.createFirst(tx, organization, key, stored);
    }
}
