package dev.sheaf.server.org.key;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.KeyState;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.OrganizationRows;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;

/// Changes to API keys: edit, rotate and revoke (contract 5.1). The rights of a key never change. Each change
/// takes effect on this node before the call returns, and on other nodes within two seconds.
public final class KeyChanges {

    private final Database database;
    private final ApiKeys keys;
    private final int maxLive;

    /// @param maxLive how many keys of an organization may be retiring at a time
    public KeyChanges(Database database, ApiKeys keys, int maxLive) {
        this.database = database;
        this.keys = keys;
        this.maxLive = maxLive;
    }

    /// Changes the name or the description, or disables or enables the key.
    ///
    /// @param check inspects the current key, and may refuse
    /// @throws ProblemException not-found; conflict if the key has ended; name-taken
    public ApiKey edit(ChangeOrigin origin, UUID id, KeyEdit edit, Consumer<ApiKey> check) {
        Access.inPerson(origin.caller());
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            var key = KeyRights.visible(tx, origin.caller(), id);
            var old = key.wire();
            check.accept(old);
            refuse(key, KeyState.EXPIRED, "the key has expired and cannot be changed; create a new one");
            refuse(key, KeyState.REVOKED, "the key was revoked and cannot be changed; create a new one");
            String name = Objects.requireNonNullElse(edit.name(), old.name());
            String description = edit.describes() ? edit.description() : old.description();
            boolean isDisabled = key.state() == KeyState.DISABLED;
            boolean disabled = Objects.requireNonNullElse(edit.disabled(), isDisabled);
            if (!name.equals(old.name())) {
                ApiKeys.checkName(tx, origin, name);
            }
            if (disabled == isDisabled && name.equals(old.name()) && Objects.equals(description, old.description())) {
                return old;
            }
            ApiKeyRows.edit(tx, id, name, description, disabled);
            tx.changed(new DataChange(DataChange.Kind.API_KEY, id.toString()));
            var edited = ApiKeys.shown(tx, origin, id);
            OutboxRows.emit(tx, origin, new Event.ApiKeyUpdated(id, name, edited.state()));
            String word = disabled == isDisabled ? "update" : disabled ? "disable" : "enable";
            AuditRows.record(tx, origin, "api_key." + word, id.toString());
            return edited;
        });
    }

    private static void refuse(ApiKeyRows.Row key, KeyState state, String detail) {
        if (key.state() == state) {
            throw new Problem.Conflict(detail).raise();
        }
    }

    /// Creates a key with the same name and rights that replaces an old one. The old key works until `overlap`
    /// has passed, but not beyond its own expiry. The new key gets the same lifetime as the old one had, within
    /// the organization's policy, but does not outlast the caller's own key.
    ///
    /// @param overlap how long the old key stays valid; zero to end it now
    /// @return the new key; only this answer contains its secret
    /// @throws ProblemException not-found; conflict if the key is not active
    public ApiKey rotate(ChangeOrigin origin, UUID id, Duration overlap) {
        Access.inPerson(origin.caller());
        var stored = keys.prepare(KeyFormat.generate());
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            var old = KeyRights.visible(tx, origin.caller(), id);
            checkRotation(tx, origin, old, overlap);
            var successor = successor(tx, origin, old);
            UUID made = ApiKeyRows.insert(tx, origin.organizationId(), successor, stored, origin.actor());
            // One second earlier, so that the key has ended on every node, although clocks differ a little.
            var end = overlap.isZero() ? tx.now().minusSeconds(1) : tx.now().plus(overlap);
            var retireAt =
                    Objects.requireNonNull(KeyEnds.earlier(end, old.wire().expiresAt()));
            ApiKeyRows.replace(tx, id, made, retireAt);
            tx.changed(new DataChange(DataChange.Kind.API_KEY, id.toString()));
            OutboxRows.emit(tx, origin, new Event.ApiKeyRotated(id, successor.name(), made, retireAt.toString()));
            AuditRows.record(tx, origin, "api_key.rotate", id.toString());
            return ApiKeys.shown(tx, origin, made).withKey(stored.secret().expose());
        });
    }

    private void checkRotation(Tx tx, ChangeOrigin origin, ApiKeyRows.Row old, Duration overlap) {
        refuse(
                old,
                KeyState.RETIRING,
                "the key was already rotated; rotate " + old.wire().replacedBy() + " instead");
        refuse(old, KeyState.DISABLED, "the key is disabled; enable it first, or create a new one");
        refuse(old, KeyState.EXPIRED, "the key has expired; create a new one");
        refuse(old, KeyState.REVOKED, "the key was revoked; create a new one");
        if (overlap.isPositive() && ApiKeyRows.live(tx, origin.organizationId(), true) >= maxLive) {
            throw new Problem.Conflict("the organization has " + maxLive
                            + " retiring keys, the limit; rotate without overlap, or revoke one first")
                    .raise();
        }
    }

    private static NewKey successor(Tx tx, ChangeOrigin origin, ApiKeyRows.Row old) {
        var key = old.wire();
        var expiresAt = key.expiresAt();
        Duration length = expiresAt == null ? null : Duration.between(key.createdAt(), expiresAt);
        Instant fresh = KeyPolicyRows.find(tx, origin.organizationId()).fresh(tx.now(), length);
        return new NewKey(
                key.name(),
                key.description(),
                old.scopes(),
                KeyEnds.earlier(fresh, KeyRights.end(origin.caller())),
                old.restrictions());
    }

    /// Revokes a key permanently. Revoking it again changes nothing.
    ///
    /// @param check inspects the current key, and may refuse
    /// @throws ProblemException not-found
    public void revoke(ChangeOrigin origin, UUID id, String reason, Consumer<ApiKey> check) {
        Access.inPerson(origin.caller());
        database.write(tx -> {
            var key = KeyRights.visible(tx, origin.caller(), id);
            check.accept(key.wire());
            end(tx, origin, key, reason);
            return id;
        });
    }

    private static void end(Tx tx, ChangeOrigin origin, ApiKeyRows.Row key, String reason) {
        if (ApiKeyRows.revoke(tx, key.id(), origin.actor(), reason)) {
            tx.changed(new DataChange(DataChange.Kind.API_KEY, key.id().toString()));
            OutboxRows.emit(
                    tx, origin, new Event.ApiKeyRevoked(key.id(), key.wire().name(), reason));
            AuditRows.record(tx, origin, "api_key.revoke", key.id().toString());
        }
    }

    /// Revokes the key that the caller sent, regardless of its scope.
    ///
    /// @throws ProblemException forbidden if the caller sent another credential
    public void revokeOwn(ChangeOrigin origin) {
        var caller = origin.caller();
        if (!(caller.credential() instanceof Credential.Key key)
                || !caller.grant().equals(Grant.ALL)) {
            throw new Problem.Forbidden(
                            "only an API key can revoke itself here, not an access token or a session; send the API key itself")
                    .raise();
        }
        database.write(tx -> {
            end(
                    tx,
                    origin,
                    ApiKeyRows.find(tx, origin.organizationId(), key.id()).orElseThrow(),
                    "revoked by itself");
            return key.id();
        });
    }
}
