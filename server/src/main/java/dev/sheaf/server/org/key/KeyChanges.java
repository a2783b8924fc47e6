package dev.sheaf.server.org.key;

import dev.sheaf.model.KeyFormat;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Scope;
import dev.sheaf.model.wire.ApiKey;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.Grant;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What happens to API keys after they were made: they are edited, rotated and revoked (contract 5.1). What a key
/// may do never changes. Each change is effective here when the call returns, and on other nodes within a second.
public final class KeyChanges {
    public static final Duration MAX_OVERLAP = Duration.ofDays(30);
    public static final Duration OVERLAP = Duration.ofDays(1);

    private final Database database;
    private final ApiKeys keys;
    private final int maxLive;

    /// What a key shall be.
    public record Edit(String name, @Nullable String description, boolean disabled) {}

    /// @param maxLive how many keys of an organization may be on their way out at one time
    public KeyChanges(Database database, ApiKeys keys, int maxLive) {
        this.database = database;
        this.keys = keys;
        this.maxLive = maxLive;
    }

    /// Changes the name, the description, or whether a key works for now.
    ///
    /// @param edit makes of the key as it is what it shall be, and may refuse
    /// @throws ProblemException not-found; conflict where the key is over; name-taken
    public ApiKey edit(Origin origin, UUID id, Function<ApiKey, Edit> edit) {
        Access.inPerson(origin.caller());
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            var key = KeyRights.visible(tx, origin.caller(), id);
            var wanted = edit.apply(key.wire());
            refuse(key, "expired", "the key has expired; nothing of it changes any more");
            refuse(key, "revoked", "the key was revoked; nothing of it changes any more");
            if (!wanted.name().equals(key.wire().name())) {
                ApiKeys.checkName(tx, origin, wanted.name());
            }
            boolean switched = wanted.disabled() != key.is("disabled");
            if (switched || !wanted.equals(edit(key))) {
                ApiKeyRows.edit(tx, id, wanted.name(), wanted.description(), wanted.disabled());
                tx.changed(new Change(Change.Kind.API_KEY, id.toString()));
                String state = ApiKeys.shown(tx, origin, id).state();
                OutboxRows.emit(tx, origin.organizationId(), new Event.ApiKeyUpdated(id, wanted.name(), state));
                String word = wanted.disabled() ? "disable" : "enable";
                AuditRows.record(tx, origin, "api_key." + (switched ? word : "update"), id.toString());
            }
            return ApiKeys.shown(tx, origin, id);
        });
    }

    private static Edit edit(ApiKeyRows.Row key) {
        return new Edit(key.wire().name(), key.wire().description(), key.is("disabled"));
    }

    private static void refuse(ApiKeyRows.Row key, String state, String detail) {
        if (key.is(state)) {
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
            OutboxRows.emit(
                    tx,
                    origin.organizationId(),
                    new Event.ApiKeyRotated(id, successor.name(), made, retireAt.toString()));
            AuditRows.record(tx, origin, "api_key.rotate", id.toString());
            return ApiKeys.shown(tx, origin, made).withKey(stored.secret().expose());
        });
    }

    private void checkRotation(Tx tx, Origin origin, ApiKeyRows.Row old, Duration overlap) {
        refuse(
                old,
                "retiring",
                "the key was rotated already; rotate " + old.wire().replacedBy() + " instead");
        refuse(old, "disabled", "the key is disabled; enable it first, or create a new one");
        refuse(old, "expired", "the key has expired; create a new one");
        refuse(old, "revoked", "the key was revoked; create a new one");
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
                key.scopes().stream()
                        .map(word -> Scope.find(word).orElseThrow())
                        .collect(Collectors.toSet()),
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
                    tx,
                    origin.organizationId(),
                    new Event.ApiKeyRevoked(key.id(), key.wire().name(), reason));
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
