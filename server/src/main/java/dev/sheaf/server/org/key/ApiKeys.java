package dev.sheaf.server.org.key;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.server.audit.AuditEntry;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.KeyRecord;
import dev.sheaf.server.auth.KeyState;
import dev.sheaf.server.auth.secret.PepperRing;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.NamespaceRows;
import dev.sheaf.server.org.OrganizationRows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The API keys of an organization (specification, endpoint 1; contract 5.1). Only a keyed hash of a secret is
/// stored.
///
/// A caller can see and manage only keys that it could have created itself ([KeyRights]). Other keys get the
/// answer not-found.
public final class ApiKeys {

    /// The reason of a key that ended with its pepper.
    public static final String PEPPER_RETIRED = "pepper retired";

    private static final int CHUNK = 100;

    private final Database database;
    private final PepperRing peppers;
    private final int maxLive;

    /// Selects the keys to list.
    ///
    /// @param state null for all keys
    /// @param bundle lists only keys that can access this bundle, and without a state only keys that work now;
    /// null for all keys
    public record Filter(@Nullable KeyState state, @Nullable RepositoryName bundle) {}

    /// @param maxLive how many keys of an organization may work at the same time, and how many further keys may
    /// be retiring
    public ApiKeys(Database database, PepperRing peppers, int maxLive) {
        this.database = database;
        this.peppers = peppers;
        this.maxLive = maxLive;
    }

    /// Creates a key in the caller's organization. Only this answer contains its secret.
    ///
    /// @throws ProblemException validation-failed if the key would have more rights than its creator, or would
    /// work longer than the organization's policy allows; name-taken among live keys
    public ApiKey create(ChangeOrigin origin, NewKey key) {
        Access.inPerson(origin.caller());
        var stored = prepare(KeyFormat.generate());
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            var policy = KeyPolicyRows.find(tx, origin.organizationId());
            var dated = key.until(policy.end(tx.now(), key.expiresAt()));
            KeyRights.check(origin.caller(), dated, policy.last(tx.now()));
            checkName(tx, origin, key.name());
            if (ApiKeyRows.live(tx, origin.organizationId(), false) >= maxLive) {
                throw new Problem.Conflict(
                                "the organization has " + maxLive + " live keys, the limit; revoke one first")
                        .raise();
            }
            UUID id = ApiKeyRows.insert(tx, origin.organizationId(), dated, stored, origin.actor());
            OutboxRows.emit(
                    tx,
                    origin,
                    new Event.ApiKeyCreated(id, key.name(), key.scope().toString()));
            AuditRows.record(tx, origin, "api_key.create", id.toString());
            return shown(tx, origin, id).withKey(stored.secret().expose());
        });
    }

    static void checkName(Tx tx, ChangeOrigin origin, String name) {
        if (ApiKeyRows.liveNames(tx, origin.organizationId()).contains(name)) {
            throw new Problem.NameTaken("the key name " + Quoted.of(name)).raise();
        }
    }

    static ApiKey shown(Tx tx, ChangeOrigin origin, UUID id) {
        return ApiKeyRows.find(tx, origin.organizationId(), id).orElseThrow().wire();
    }

    /// Stores the first key of a new installation.
    public UUID createFirst(Tx tx, UUID organizationId, NewKey key, ApiKeyRows.Stored stored) {
        return createFirst(tx, organizationId, key, stored, "bootstrap");
    }

    /// Stores the first key of an organization that a caller created.
    public UUID createFirst(Tx tx, UUID organizationId, NewKey key, ApiKeyRows.Stored stored, String actor) {
        return ApiKeyRows.insert(tx, organizationId, key, stored, actor);
    }

    /// Returns the stored form of a secret, computed before the transaction that stores it.
    public ApiKeyRows.Stored prepare(Secret secret) {
        return new ApiKeyRows.Stored(secret, peppers.hash(secret));
    }

    /// Counts the usable keys of all organizations under each pepper.
    public Map<Long, Long> byPepper() {
        return database.read(ApiKeyRows::byPepper);
    }

    /// A key that ends if the peppers before the current one end.
    ///
    /// @param organization its handle
    /// @param lastUsedAt null if it was never used
    public record Behind(
            String organization, String name, @Nullable Instant lastUsedAt) {}

    /// Returns usable keys that are stored under peppers before this number, the last used first.
    public List<Behind> behind(long pepper, int limit) {
        return database.read(tx -> {
            var rows = ApiKeyRows.behind(tx, pepper, limit);
            return rows.stream()
                    .map(row -> new Behind(
                            OrganizationRows.find(tx, row.organizationId())
                                    .map(Organization::handle)
                                    .orElse(row.organizationId().toString()),
                            row.name(),
                            row.lastUsedAt()))
                    .toList();
        });
    }

    /// Ends the usable keys that are stored under peppers before this number, in small transactions. Each owner gets
    /// the entry in the audit log and the event of a revoked key.
    ///
    /// @param between called between the transactions; may throw to stop
    /// @return the number of keys that were ended
    public long endBefore(long pepper, Runnable between) {
        long ended = 0;
        int some;
        do {
            between.run();
            some = database.write(tx -> {
                var keys = ApiKeyRows.before(tx, pepper, CHUNK);
                keys.forEach(key -> end(tx, key));
                return keys.size();
            });
            ended += some;
        } while (some == CHUNK);
        return ended;
    }

    private static void end(Tx tx, KeyRecord key) {
        if (!ApiKeyRows.revoke(tx, key.id(), AuditEntry.SYSTEM, PEPPER_RETIRED)) {
            return;
        }
        tx.changed(new DataChange(DataChange.Kind.API_KEY, key.id().toString()));
        OutboxRows.emit(tx, key.organizationId(), new Event.ApiKeyRevoked(key.id(), key.name(), PEPPER_RETIRED));
        AuditRows.insert(
                tx,
                AuditEntry.ofSystem(
                        key.organizationId(), "api_key.revoke", key.id().toString(), PEPPER_RETIRED));
    }

    /// @throws ProblemException not-found, even for a key that exists but that the caller could not have
    /// created
    public ApiKey get(Caller.Known caller, UUID id) {
        return database.read(tx -> KeyRights.visible(tx, caller, id)).wire();
    }

    /// Lists the keys of the caller's organization that it may see, newest first, starting before the id
    /// `before`.
    ///
    /// Reads rows until the page is full, because SQL cannot check restrictions and states.
    public List<ApiKey> list(Caller.Known caller, Filter filter, @Nullable String before, int limit) {
        var bundle = filter.bundle();
        return database.read(tx -> {
            var page = new ArrayList<ApiKey>();
            if (bundle != null && isOfAnother(tx, caller, bundle)) {
                return page;
            }
            var state = filter.state();
            var asked = new ApiKeyRows.Filter(
                    caller.organizationId(),
                    state == null ? null : Boolean.valueOf(state.isOver()),
                    bundle != null && state == null);
            String last = before == null ? TimeOrderedIds.END : before;
            List<ApiKeyRows.Row> rows;
            do {
                rows = ApiKeyRows.list(tx, asked, last, CHUNK);
                rows.stream()
                        .filter(row -> state == null || row.state() == state)
                        .filter(row -> KeyRights.cover(caller, row))
                        .filter(row -> bundle == null || row.restrictions().permit(bundle))
                        .limit(limit - page.size())
                        .map(row -> bundle == null
                                ? row.wire()
                                : row.wire().withAccess(row.scope().toString()))
                        .forEach(page::add);
                last = rows.isEmpty() ? last : rows.getLast().id().toString();
            } while (rows.size() == CHUNK && page.size() < limit);
            return page;
        });
    }

    /// Lists keys that the caller may see and that end by themselves soon or have ended lately, the first
    /// to end first.
    ///
    /// @param span how long before and after now
    public List<ApiKey> ending(Caller.Known caller, Duration span, int limit) {
        return database
                .read(tx -> ApiKeyRows.ending(
                        tx,
                        caller.organizationId(),
                        tx.now().minus(span),
                        tx.now().plus(span),
                        CHUNK))
                .stream()
                .filter(row -> KeyRights.cover(caller, row))
                .limit(limit)
                .map(ApiKeyRows.Row::wire)
                .toList();
    }

    private static boolean isOfAnother(Tx tx, Caller.Known caller, RepositoryName bundle) {
        return NamespaceRows.find(tx, bundle.namespace())
                .map(NamespaceRecord::organizationId)
                .filter(owner -> !owner.equals(caller.organizationId()))
                .isPresent();
    }
}
