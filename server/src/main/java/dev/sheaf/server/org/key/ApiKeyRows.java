package dev.sheaf.server.org.key;

import dev.sheaf.model.KeyFormat;
import dev.sheaf.model.Scope;
import dev.sheaf.model.Secret;
import dev.sheaf.model.wire.ApiKey;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.KeyRecord;
import dev.sheaf.server.auth.KeyRecord.KeyState;
import dev.sheaf.server.auth.Peppers;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class ApiKeyRows {
    /// A secret and what is stored of it.
    public record Stored(Secret secret, Peppers.Hashed hashed) {}

    /// A key, and what rules ask of it.
    public record Row(ApiKey wire, Scope scope, Restrictions restrictions) {
        UUID id() {
            return wire.id();
        }

        boolean is(String state) {
            return wire.state().equals(state);
        }
    }

    /// Which keys are listed.
    ///
    /// @param state one of [ApiKeys#STATES], or null for all
    /// @param working only those that can be used now
    record Filter(UUID organizationId, @Nullable String state, boolean working) {}

    private static final String LIVE = """
            revoked_at IS NULL
              AND (expires_at IS NULL OR expires_at > :now) AND (retire_at IS NULL OR retire_at > :now)
            """;
    private static final String STATE = """
            CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
                 WHEN expires_at <= :now OR retire_at <= :now THEN 'expired'
                 WHEN disabled_at IS NOT NULL THEN 'disabled'
                 WHEN retire_at IS NOT NULL THEN 'retiring'
                 ELSE 'active' END
            """;

    private ApiKeyRows() {}

    static UUID insert(Tx tx, UUID organizationId, NewKey key, Stored stored, String actor) {
        UUID id = Ids.next(tx.now());
        tx.change(
                """
                        INSERT INTO api_key (id, organization_id, name, description, scopes, restrictions, hint, secret_hash,
                                             pepper, created_at, created_by, expires_at)
                        VALUES (:id, :organization, :name, :description, :scopes, :restrictions, :hint, :hash,
                                :pepper, :now, :actor, :expires)
                        """,
                "id",
                id,
                "organization",
                organizationId,
                "name",
                key.name(),
                "description",
                key.description(),
                "scopes",
                join(key.scopes()),
                "restrictions",
                key.restrictions().encode(),
                "hint",
                KeyFormat.hint(stored.secret()),
                "hash",
                stored.hashed().hash(),
                "pepper",
                stored.hashed().pepper(),
                "now",
                tx.now(),
                "actor",
                actor,
                "expires",
                millis(key.expiresAt()));
        return id;
    }

    private static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : time.toEpochMilli();
    }

    public static Optional<Row> find(Tx tx, UUID organizationId, UUID id) {
        return tx.find(
                "SELECT * FROM api_key WHERE organization_id = :organization AND id = :id",
                row -> row(row, tx.now()),
                "organization",
                organizationId,
                "id",
                id);
    }

    /// The newest first, those before the id `before`.
    static List<Row> list(Tx tx, Filter filter, String before, int limit) {
        return tx.list(
                "SELECT * FROM api_key WHERE organization_id = :organization AND id < :before"
                        + (filter.state() == null ? "" : " AND " + STATE + " = :state")
                        + (filter.working() ? " AND disabled_at IS NULL AND " + LIVE : "")
                        + " ORDER BY id DESC LIMIT :limit",
                row -> row(row, tx.now()),
                "organization",
                filter.organizationId(),
                "before",
                before,
                "state",
                filter.state(),
                "now",
                tx.now(),
                "limit",
                limit);
    }

    static Set<String> liveNames(Tx tx, UUID organizationId) {
        return Set.copyOf(tx.list(
                "SELECT name FROM api_key WHERE organization_id = :organization AND " + LIVE,
                String.class,
                "organization",
                organizationId,
                "now",
                tx.now()));
    }

    /// How many live keys are on their way out, or how many are not.
    static int live(Tx tx, UUID organizationId, boolean retiring) {
        return (int) tx.number(
                "SELECT count(*) FROM api_key WHERE organization_id = :organization" + " AND retire_at IS "
                        + (retiring ? "NOT NULL" : "NULL") + " AND " + LIVE,
                "organization",
                organizationId,
                "now",
                tx.now());
    }

    static Optional<Authenticator.Found> bySecret(Tx tx, List<String> hashes) {
        if (hashes.isEmpty()) { // of a node that was given none of the master secrets
            return Optional.empty();
        }
        return tx.find(
                "SELECT id, pepper FROM api_key WHERE secret_hash IN (<hashes>)",
                row -> new Authenticator.Found(UUID.fromString(row.getString("id")), row.getLong("pepper")),
                "hashes",
                hashes);
    }

    static void rehash(Tx tx, UUID id, Peppers.Hashed hash) {
        tx.change(
                "UPDATE api_key SET secret_hash = :hash, pepper = :pepper" + " WHERE id = :id AND pepper < :pepper",
                "hash",
                hash.hash(),
                "pepper",
                hash.pepper(),
                "id",
                id);
    }

    /// How many keys that may still be used are hashed under each pepper.
    static Map<Long, Long> byPepper(Tx tx) {
        return tx.handle()
                .createQuery("SELECT pepper, count(*) AS n FROM api_key WHERE " + LIVE + " GROUP BY pepper")
                .bind("now", tx.now())
                .reduceRows(new TreeMap<Long, Long>(), (all, row) -> {
                    all.put(row.getColumn("pepper", Long.class), row.getColumn("n", Long.class));
                    return all;
                });
    }

    static Optional<KeyRecord> record(Tx tx, UUID id) {
        return tx.find(
                "SELECT * FROM api_key WHERE id = :id",
                row -> new KeyRecord(
                        UUID.fromString(row.getString("id")),
                        UUID.fromString(row.getString("organization_id")),
                        row.getString("name"),
                        row.getString("hint"),
                        Collections.max(scopes(row)),
                        Restrictions.decode(row.getString("restrictions")),
                        state(row)),
                "id",
                id);
    }

    /// @return false where it was revoked before
    static boolean revoke(Tx tx, UUID id, String actor, String reason) {
        return tx.change("""
                                UPDATE api_key SET revoked_at = :now, revoked_by = :actor, revoked_reason = :reason
                                WHERE id = :id AND revoked_at IS NULL
                                """, "id", id, "now", tx.now(), "actor", actor, "reason", reason) == 1;
    }

    static void edit(Tx tx, UUID id, String name, @Nullable String description, boolean disabled) {
        tx.change(
                """
                        UPDATE api_key SET name = :name, description = :description,
                            disabled_at = CASE WHEN :disabled = 1 THEN COALESCE(disabled_at, :now) END
                        WHERE id = :id
                        """, "name", name, "description", description, "disabled", disabled ? 1 : 0, "now", tx.now(), "id", id);
    }

    static void replace(Tx tx, UUID old, UUID successor, Instant retireAt) {
        tx.change(
                "UPDATE api_key SET replaced_by = :successor, retire_at = :at WHERE id = :old",
                "successor",
                successor,
                "at",
                retireAt,
                "old",
                old);
        tx.change("UPDATE api_key SET rotated_from = :old WHERE id = :successor", "successor", successor, "old", old);
    }

    static void used(Tx tx, UUID id, Instant at) {
        tx.change("""
                        UPDATE api_key SET last_used_at = :at
                        WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :at)
                        """, "id", id, "at", at);
    }

    private static Row row(ResultSet row, Instant now) throws SQLException {
        return new Row(
                wire(row, now), Collections.max(scopes(row)), Restrictions.decode(row.getString("restrictions")));
    }

    private static ApiKey wire(ResultSet row, Instant now) throws SQLException {
        return new ApiKey(
                UUID.fromString(row.getString("id")),
                UUID.fromString(row.getString("organization_id")),
                row.getString("name"),
                row.getString("description"),
                scopes(row).stream().map(Scope::toString).toList(),
                Restrictions.decode(row.getString("restrictions")).toWire(),
                row.getString("hint"),
                state(row).word(now),
                Instant.ofEpochMilli(row.getLong("created_at")),
                row.getString("created_by"),
                time(row, "expires_at"),
                time(row, "last_used_at"),
                time(row, "revoked_at"),
                row.getString("revoked_by"),
                row.getString("revoked_reason"),
                uuid(row.getString("rotated_from")),
                uuid(row.getString("replaced_by")),
                time(row, "retire_at"),
                null,
                null);
    }

    private static KeyState state(ResultSet row) throws SQLException {
        return new KeyState(
                time(row, "expires_at"), time(row, "retire_at"), time(row, "disabled_at"), time(row, "revoked_at"));
    }

    private static String join(Set<Scope> scopes) {
        return String.join(" ", scopes.stream().map(Scope::toString).toList());
    }

    private static List<Scope> scopes(ResultSet row) throws SQLException {
        return Arrays.stream(row.getString("scopes").split(" "))
                .map(word -> Scope.find(word).orElseThrow())
                .toList();
    }

    private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }

    private static @Nullable UUID uuid(@Nullable String text) {
        return text == null ? null : UUID.fromString(text);
    }
}
