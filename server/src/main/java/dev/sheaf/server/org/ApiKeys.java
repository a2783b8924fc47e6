package dev.sheaf.server.org;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Quoted;
import dev.sheaf.model.Secret;
import dev.sheaf.model.wire.ApiKey;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.KeyFormat;
import dev.sheaf.server.auth.KeyRecord;
import dev.sheaf.server.auth.MasterSecret;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The API keys of an organization (specification, endpoint 1; contract 5.1). Only a keyed hash of a secret is
/// stored.
public final class ApiKeys implements Authenticator.KeySource {
    /// The word that a state filter accepts.
    public static final List<String> STATES = List.of("active", "retiring", "disabled", "expired", "revoked");

    private final Database database;
    private final MasterSecret master;
    private final int maxLive;

    /// @param maxLive how many keys of an organization may work at one time
    public ApiKeys(Database database, MasterSecret master, int maxLive) {
        this.database = database;
        this.master = master;
        this.maxLive = maxLive;
    }

    /// Creates a key in the caller's organization and gives its secret, this once.
    ///
    /// @throws ProblemException validation-failed where it would have more rights than its creator; name-taken
    /// among live keys
    public ApiKey create(Origin origin, NewKey key) {
        Access.inPerson(origin.caller());
        withinCreator(origin.caller(), key);
        var secret = KeyFormat.generate();
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            var liveNames = ApiKeyRows.liveNames(tx, origin.organizationId());
            if (liveNames.contains(key.name())) {
                throw new Problem.NameTaken("the key name " + Quoted.of(key.name())).raise();
            }
            if (liveNames.size() >= maxLive) {
                throw new Problem.Conflict(
                                "the organization has " + maxLive + " live keys, the limit; revoke one first")
                        .raise();
            }
            UUID id = ApiKeyRows.insert(
                    tx,
                    origin.organizationId(),
                    key,
                    new ApiKeyRows.Stored(secret, master.hashOf(secret.expose())),
                    origin.actor());
            OutboxRows.emit(
                    tx,
                    origin.organizationId(),
                    new Event.ApiKeyCreated(id, key.name(), key.scope().toString()));
            AuditRows.record(tx, origin, "api_key.create", id.toString());
            return ApiKeyRows.find(tx, origin.organizationId(), id)
                    .orElseThrow()
                    .withKey(secret.expose());
        });
    }

    /// No key grants more than it has.
    private static void withinCreator(Caller.Known creator, NewKey key) {
        var errors = new ArrayList<FieldError>();
        if (!creator.scope().includes(key.scope())) {
            errors.add(new FieldError("/scopes", "range", "must lie within the scopes of the key that creates it"));
        }
        if (!creator.restrictions().cover(key.restrictions())) {
            errors.add(new FieldError("/restrictions", "range", "must lie within those of the key that creates it"));
        }
        Instant end = creator.credential() instanceof Credential.Key ? creator.endsAt() : null;
        if (end != null && (key.expiresAt() == null || key.expiresAt().isAfter(end))) {
            errors.add(new FieldError(
                    "/expiresAt", "range", "must not be after " + end + ", when the key that creates it expires"));
        }
        if (!errors.isEmpty()) {
            throw new Problem.ValidationFailed(errors).raise();
        }
    }

    /// The first key of a new installation, made by the program itself.
    UUID createFirst(Tx tx, UUID organizationId, NewKey key, Secret secret) {
        return createFirst(tx, organizationId, key, secret, "bootstrap");
    }

    /// The first key of an organization that somebody made.
    UUID createFirst(Tx tx, UUID organizationId, NewKey key, Secret secret, String actor) {
        return ApiKeyRows.insert(
                tx, organizationId, key, new ApiKeyRows.Stored(secret, master.hashOf(secret.expose())), actor);
    }

    /// @throws ProblemException not-found
    public ApiKey get(UUID organizationId, UUID id) {
        return database.read(tx -> ApiKeyRows.find(tx, organizationId, id))
                .orElseThrow(() -> new Problem.NotFound("API key " + id).raise());
    }

    /// The keys of an organization, newest first, those before the id `before`.
    ///
    /// @param state one of [#STATES], or null for all
    public List<ApiKey> list(UUID organizationId, @Nullable String state, @Nullable String before, int limit) {
        return database.read(tx -> ApiKeyRows.list(tx, organizationId, state, before == null ? "~" : before, limit));
    }

    /// Revokes a key for good. To revoke it again changes nothing. When this returns, this node refuses the key.
    ///
    /// @throws ProblemException not-found
    public void revoke(Origin origin, UUID id, String reason) {
        database.write(tx -> {
            var key = ApiKeyRows.find(tx, origin.organizationId(), id)
                    .orElseThrow(() -> new Problem.NotFound("API key " + id).raise());
            if (ApiKeyRows.revoke(tx, id, origin.actor(), reason)) {
                tx.changed(new Change(Change.Kind.API_KEY, id.toString()));
                OutboxRows.emit(tx, origin.organizationId(), new Event.ApiKeyRevoked(id, key.name(), reason));
                AuditRows.record(tx, origin, "api_key.revoke", id.toString());
            }
            return id;
        });
    }

    @Override
    public Optional<UUID> findIdBySecretHash(String hash) {
        return database.read(tx -> ApiKeyRows.idBySecretHash(tx, hash));
    }

    @Override
    public Optional<KeyRecord> findById(UUID id) {
        return database.read(tx -> ApiKeyRows.record(tx, id));
    }
}
