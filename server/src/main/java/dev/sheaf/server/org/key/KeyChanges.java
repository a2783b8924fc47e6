package dev.sheaf.server.org.key;

import dev.sheaf.model.Problem;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.KeyState;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.OrganizationRows;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;

/// What happens to API keys after they were made: they are edited, rotated and revoked (contract 5.1). What a key
/// may do never changes. Each change is effective here when the call returns, and on other nodes within a second.
public final class KeyChanges {

    private final Database database;
    private final ApiKeys keys;
    private final int maxLive;

    /// @param maxLive how many keys of an organization may be on their way out at one time
    public KeyChanges(Database database, ApiKeys keys, int maxLive) {
        this.database = database;
        this.keys = keys;
        this.maxLive = maxLive;
    }

    /// Changes the name, the description, or whether a key works for now.
    ///
    /// @param check looks at the key as it is, and may refuse
    /// @throws ProblemException not-found; conflict where the key is over; name-taken
    public ApiKey edit(Origin origin, UUID id, KeyEdit edit, Consumer<ApiKey> check) {
        Access.inPerson(origin.caller());
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            var key = KeyRights.visible(tx, origin.caller(), id);
            var old = key.wire();
            check.accept(old);
            refuse(key, KeyState.EXPIRED, "the key has expired; nothing of it changes any more");
            refuse(key, KeyState.REVOKED, "the key was revoked; nothing of it changes any more");
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
            tx.changed(new Change(Change.Kind.API_KEY, id.toString()));
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

    /// Makes a key with the same name and rights in the place of one, which works until `overlap` is over, or until
    /// it would have expired. The new one works as long as the old one was made for, or as the organization's
    /// policy says, but not longer than the caller itself.
    ///
    /// @param overlap zero: the old key ends now
    /// @return the new key with its secret, this once
    /// @throws ProblemException not-found; conflict where the key is not active
    public ApiKey rotate(Origin origin, UUID id, Duration overlap) {
        Access.inPerson(origin.caller());
        var stored = keys.prepare(KeyFormat.generate());
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            var old = KeyRights.visible(tx, origin.caller(), id);
            checkRotation(tx, origin, old, overlap);
            var successor = successor(tx, origin, old);
            UUID made = ApiKeyRows.insert(tx, origin.organizationId(), successor, stored, origin.actor());
            // At once means now on every node, whose clocks are not quite the database's.
            var end = overlap.isZero() ? tx.now().minusSeconds(1) : tx.now().plus(overlap);
            var retireAt =
                    Objects.requireNonNull(KeyEnds.earlier(end, old.wire().expiresAt()));
            ApiKeyRows.replace(tx, id, made, retireAt);
            tx.changed(new Change(Change.Kind.API_KEY, id.toString()));
            OutboxRows.emit(tx, origin, new Event.ApiKeyRotated(id, successor.name(), made, retireAt.toString()));
            AuditRows.record(tx, origin, "api_key.rotate", id.toString());
            return ApiKeys.shown(tx, origin, made).withKey(stored.secret().expose());
        });
    }

    private void checkRotation(Tx tx, Origin origin, ApiKeyRows.Row old, Duration overlap) {
        refuse(
                old,
                KeyState.RETIRING,
                "the key was rotated already; rotate " + old.wire().replacedBy() + " instead");
        refuse(old, KeyState.DISABLED, "the key is disabled; enable it first, or create a new one");
        refuse(old, KeyState.EXPIRED, "the key has expired; create a new one");
        refuse(old, KeyState.REVOKED, "the key was revoked; create a new one");
        if (overlap.isPositive() && ApiKeyRows.live(tx, origin.organizationId(), true) >= maxLive) {
            throw new Problem.Conflict("the organization has " + maxLive
                            + " retiring keys, the limit; rotate without overlap, or revoke one first")
                    .raise();
        }
    }

    private static NewKey successor(Tx tx, Origin origin, ApiKeyRows.Row old) {
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

    /// Revokes a key for good. To revoke it again changes nothing.
    ///
    /// @param check looks at the key as it is, and may refuse
    /// @throws ProblemException not-found
    public void revoke(Origin origin, UUID id, String reason, Consumer<ApiKey> check) {
        Access.inPerson(origin.caller());
        database.write(tx -> {
            var key = KeyRights.visible(tx, origin.caller(), id);
            check.accept(key.wire());
            end(tx, origin, key, reason);
            return id;
        });
    }

    private static void end(Tx tx, Origin origin, ApiKeyRows.Row key, String reason) {
        if (ApiKeyRows.revoke(tx, key.id(), origin.actor(), reason)) {
            tx.changed(new Change(Change.Kind.API_KEY, key.id().toString()));
            OutboxRows.emit(
                    tx, origin, new Event.ApiKeyRevoked(key.id(), key.wire().name(), reason));
            AuditRows.record(tx, origin, "api_key.revoke", key.id().toString());
        }
    }

    /// Revokes the key that the caller sent, of whatever scope it is.
    ///
    /// @throws ProblemException forbidden where the caller sent something else
    public void revokeOwn(Origin origin) {
        var caller = origin.caller();
        if (!(caller.credential() instanceof Credential.Key key)
                || !caller.grant().equals(Grant.ALL)) {
            throw new Problem.Forbidden("only an API key itself ends like this; an access token or a session does not")
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
