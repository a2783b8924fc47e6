package dev.sheaf.server.org.key;

import dev.sheaf.engine.db.ColumnReader;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.KeyLife;
import dev.sheaf.server.auth.KeyRecord;
import dev.sheaf.server.auth.KeyState;
import dev.sheaf.server.auth.KnownCredentials;
import dev.sheaf.server.auth.secret.PepperRing;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

public final class ApiKeyRows {
    /// A secret and its stored form.
    public record Stored(Secret secret, PepperRing.Hashed hashed) {}

    /// A key, with the parts that rules check.
    public record Row(ApiKey wire, Set<Scope> scopes, CredentialRestrictions restrictions, KeyState state) {
        UUID id() {
            return wire.id();
        }

        Scope scope() {
            return Collections.max(scopes);
        }
    }

    /// Selects the keys to list.
    ///
    /// @param over true for keys that have ended for good, false for other keys; null for both
    /// @param working whether to list only keys that work now
    record Filter(UUID organizationId, @Nullable Boolean over, boolean working) {}

    private static final String LIVE = """
            revoked_at IS NULL
              AND (expires_at IS NULL OR expires_at > :now) AND (retire_at IS NULL OR retire_at > :now)
            """;

    private ApiKeyRows() {}

    static UUID insert(Tx tx, UUID organizationId, NewKey key, Stored stored, String actor) {
        record Row(
                UUID id,
                UUID organizationId,
                String scopes,
                @Nullable String limits,
                String hint,
                PepperRing.Hashed hashed,
                Instant now,
                String actor) {}
        var row = new Row(
                TimeOrderedIds.next(tx.now()),
                organizationId,
                key.scopes().stream().map(Scope::toString).collect(Collectors.joining(" ")),
                key.restrictions().encode(),
                KeyFormat.hint(stored.secret()),
                stored.hashed(),
                tx.now(),
                actor);
        tx.change("""
                INSERT INTO api_key (id, organization_id, name, description, scopes, restrictions, hint, secret_hash,
                                     pepper, created_at, created_by, expires_at)
                VALUES (:id, :organizationId, :name, :description, :scopes, :limits, :hint, :hash,
                        :pepper, :now, :actor, :expiresAt)
                """, row, "name", key.name(), "description", key.description(), "expiresAt", key.expiresAt());
        return row.id();
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

    /// Lists keys, the newest first, starting before the id `before`.
    static List<Row> list(Tx tx, Filter filter, String before, int limit) {
        return tx.list(
                "SELECT * FROM api_key WHERE organization_id = :organization AND id < :before"
                        + (filter.over() == null ? "" : (filter.over() ? " AND NOT (" : " AND (") + LIVE + ")")
                        + (filter.working() ? " AND disabled_at IS NULL AND " + LIVE : "")
                        + " ORDER BY id DESC LIMIT :limit",
                row -> row(row, tx.now()),
                "organization",
                filter.organizationId(),
                "before",
                before,
                "limit",
                limit);
    }

    /// Returns keys that end by themselves within a time, the first to end first. Disabled and revoked keys
    /// are left out.
    static List<Row> ending(Tx tx, UUID organizationId, Instant from, Instant until, int limit) {
        return tx.list(
                """
                SELECT * FROM api_key
                WHERE organization_id = :organization AND revoked_at IS NULL AND disabled_at IS NULL
                  AND COALESCE(retire_at, expires_at) BETWEEN :from AND :until
                ORDER BY COALESCE(retire_at, expires_at), id LIMIT :limit
                """,
                row -> row(row, tx.now()),
                "organization",
                organizationId,
                "from",
                from,
                "until",
                until,
                "limit",
                limit);
    }

    static Set<String> liveNames(Tx tx, UUID organizationId) {
        return Set.copyOf(tx.list(
                "SELECT name FROM api_key WHERE organization_id = :organization AND " + LIVE,
                String.class,
                "organization",
                organizationId));
    }

    /// Counts the live keys that are retiring, or the live keys that are not.
    static int live(Tx tx, UUID organizationId, boolean retiring) {
        return (int) tx.number(
                "SELECT count(*) FROM api_key WHERE organization_id = :organization" + " AND retire_at IS "
                        + (retiring ? "NOT NULL" : "NULL") + " AND " + LIVE,
                "organization",
                organizationId);
    }

    static Optional<KnownCredentials.StoredKey> bySecret(Tx tx, List<String> hashes) {
        if (hashes.isEmpty()) { // the node has none of the master secrets
            return Optional.empty();
        }
        return tx.find(
                "SELECT id, pepper FROM api_key WHERE secret_hash IN (<hashes>)",
                KnownCredentials.StoredKey.class,
                "hashes",
                hashes);
    }

    static void rehash(Tx tx, UUID id, PepperRing.Hashed hash) {
        tx.change(
                "UPDATE api_key SET secret_hash = :hash, pepper = :pepper WHERE id = :id AND pepper < :pepper",
                hash,
                "id",
                id);
    }

    /// Counts the usable keys under each pepper.
    static Map<Long, Long> byPepper(Tx tx) {
        record Keys(long pepper, long n) {}
        return tx
                .list("SELECT pepper, count(*) AS n FROM api_key WHERE " + LIVE + " GROUP BY pepper", Keys.class)
                .stream()
                .collect(Collectors.toMap(Keys::pepper, Keys::n));
    }

    static Optional<KeyRecord> record(Tx tx, UUID id) {
        return tx.find("SELECT * FROM api_key WHERE id = :id", ApiKeyRows::record, "id", id);
    }

    /// Returns usable keys that are stored under peppers before this number.
    static List<KeyRecord> before(Tx tx, long pepper, int limit) {
        return tx.list(
                "SELECT * FROM api_key WHERE pepper < :pepper AND " + LIVE + " ORDER BY id LIMIT :limit",
                ApiKeyRows::record,
                "pepper",
                pepper,
                "limit",
                limit);
    }

    /// A key that is stored under an old pepper.
    ///
    /// @param lastUsedAt null if it was never used
    public record Behind(
            UUID organizationId, String name, @Nullable Instant lastUsedAt) {}

    /// Returns usable keys that are stored under peppers before this number, the last used first.
    static List<Behind> behind(Tx tx, long pepper, int limit) {
        return tx.list(
                "SELECT organization_id, name, last_used_at FROM api_key WHERE pepper < :pepper AND " + LIVE
                        + " ORDER BY coalesce(last_used_at, 0) DESC, id LIMIT :limit",
                Behind.class,
                "pepper",
                pepper,
                "limit",
                limit);
    }

    private static KeyRecord record(ResultSet row) throws SQLException {
        return new KeyRecord(
                ColumnReader.uuid(row, "id"),
                ColumnReader.uuid(row, "organization_id"),
                row.getString("name"),
                row.getString("hint"),
                Collections.max(scopes(row)),
                CredentialRestrictions.decode(row.getString("restrictions")),
                life(row));
    }

    /// @return false if it was already revoked
    static boolean revoke(Tx tx, UUID id, String actor, String reason) {
        return tx.change("""
                                UPDATE api_key SET revoked_at = :now, revoked_by = :actor, revoked_reason = :reason
                                WHERE id = :id AND revoked_at IS NULL
                                """, "id", id, "actor", actor, "reason", reason) == 1;
    }

    static void edit(Tx tx, UUID id, String name, @Nullable String description, boolean disabled) {
        tx.change("""
                        UPDATE api_key SET name = :name, description = :description,
                            disabled_at = CASE WHEN :disabled = 1 THEN COALESCE(disabled_at, :now) END
                        WHERE id = :id
                        """, "name", name, "description", description, "disabled", disabled ? 1 : 0, "id", id);
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

    static void used(Tx tx, KeyUses.LastUse use) {
        tx.change("""
                        UPDATE api_key SET last_used_at = :at, last_used_from = :from
                        WHERE id = :keyId AND (last_used_at IS NULL OR last_used_at < :at)
                        """, use);
    }

    private static Row row(ResultSet row, Instant now) throws SQLException {
        return new Row(
                wire(row, now),
                scopes(row),
                CredentialRestrictions.decode(row.getString("restrictions")),
                life(row).state(now));
    }

    private static ApiKey wire(ResultSet row, Instant now) throws SQLException {
        return new ApiKey(
                ColumnReader.uuid(row, "id"),
                ColumnReader.uuid(row, "organization_id"),
                row.getString("name"),
                row.getString("description"),
                scopes(row).stream().map(Scope::toString).toList(),
                CredentialRestrictions.decode(row.getString("restrictions")).toWire(),
                row.getString("hint"),
                life(row).state(now).toString(),
                ColumnReader.instant(row, "created_at"),
                row.getString("created_by"),
                ColumnReader.nullableInstant(row, "expires_at"),
                ColumnReader.nullableInstant(row, "last_used_at"),
                row.getString("last_used_from"),
                ColumnReader.nullableInstant(row, "revoked_at"),
                row.getString("revoked_by"),
                row.getString("revoked_reason"),
                uuid(row.getString("rotated_from")),
                uuid(row.getString("replaced_by")),
                ColumnReader.nullableInstant(row, "retire_at"),
                null,
                null);
    }

    private static KeyLife life(ResultSet row) throws SQLException {
        return new KeyLife(
                ColumnReader.nullableInstant(row, "expires_at"),
                ColumnReader.nullableInstant(row, "retire_at"),
                ColumnReader.nullableInstant(row, "disabled_at"),
                ColumnReader.nullableInstant(row, "revoked_at"));
    }

    private static Set<Scope> scopes(ResultSet row) throws SQLException {
        return Arrays.stream(row.getString("scopes").split(" "))
                .map(word -> Scope.find(word).orElseThrow())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Scope.class)));
    }

    private static @Nullable UUID uuid(@Nullable String text) {
        return text == null ? null : UUID.fromString(text);
    }
}
