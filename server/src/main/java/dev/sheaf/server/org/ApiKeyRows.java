package dev.sheaf.server.org;

import dev.sheaf.model.Scope;
import dev.sheaf.model.Secret;
import dev.sheaf.model.wire.ApiKey;
import dev.sheaf.server.auth.KeyFormat;
import dev.sheaf.server.auth.KeyRecord;
import dev.sheaf.server.auth.KeyRecord.KeyState;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

final class ApiKeyRows {
    /// A secret and what is stored of it.
    record Stored(Secret secret, String hash) {}

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
        tx.handle()
                .createUpdate("""
                        INSERT INTO api_key (id, organization_id, name, description, scopes, restrictions, hint, secret_hash,
                                             created_at, created_by, expires_at)
                        VALUES (:id, :organization, :name, :description, :scopes, :restrictions, :hint, :hash,
                                :now, :actor, :expires)
                        """)
                .bind("id", id)
                .bind("organization", organizationId)
                .bind("name", key.name())
                .bind("description", key.description())
                .bind("scopes", join(key.scopes()))
                .bind("restrictions", key.restrictions().encode())
                .bind("hint", KeyFormat.hint(stored.secret()))
                .bind("hash", stored.hash())
                .bind("now", tx.now())
                .bind("actor", actor)
                .bind("expires", millis(key.expiresAt()))
                .execute();
        return id;
    }

    private static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : time.toEpochMilli();
    }

    static Optional<ApiKey> find(Tx tx, UUID organizationId, UUID id) {
        return tx.handle()
                .createQuery("SELECT * FROM api_key WHERE organization_id = :organization AND id = :id")
                .bind("organization", organizationId)
                .bind("id", id)
                .map((row, context) -> wire(row, tx.now()))
                .findOne();
    }

    static List<ApiKey> list(Tx tx, UUID organizationId, @Nullable String state, String before, int limit) {
        return tx.handle()
                .createQuery("SELECT * FROM api_key WHERE organization_id = :organization AND id < :before"
                        + (state == null ? "" : " AND " + STATE + " = :state") + " ORDER BY id DESC LIMIT :limit")
                .bind("organization", organizationId)
                .bind("before", before)
                .bind("state", state)
                .bind("now", tx.now())
                .bind("limit", limit)
                .map((row, context) -> wire(row, tx.now()))
                .list();
    }

    static Set<String> liveNames(Tx tx, UUID organizationId) {
        return Set.copyOf(tx.handle()
                .createQuery("SELECT name FROM api_key WHERE organization_id = :organization AND " + LIVE)
                .bind("organization", organizationId)
                .bind("now", tx.now())
                .mapTo(String.class)
                .list());
    }

    static Optional<UUID> idBySecretHash(Tx tx, String hash) {
        return tx.handle()
                .createQuery("SELECT id FROM api_key WHERE secret_hash = :hash")
                .bind("hash", hash)
                .mapTo(UUID.class)
                .findOne();
    }

    static Optional<KeyRecord> record(Tx tx, UUID id) {
        return tx.handle()
                .createQuery("SELECT * FROM api_key WHERE id = :id")
                .bind("id", id)
                .map((row, context) -> new KeyRecord(
                        UUID.fromString(row.getString("id")),
                        UUID.fromString(row.getString("organization_id")),
                        row.getString("name"),
                        row.getString("hint"),
                        Collections.max(scopes(row)),
                        Restrictions.decode(row.getString("restrictions")),
                        state(row)))
                .findOne();
    }

    /// @return false where it was revoked before
    static boolean revoke(Tx tx, UUID id, String actor, String reason) {
        return tx.handle()
                        .createUpdate("""
                                UPDATE api_key SET revoked_at = :now, revoked_by = :actor, revoked_reason = :reason
                                WHERE id = :id AND revoked_at IS NULL
                                """)
                        .bind("id", id)
                        .bind("now", tx.now())
                        .bind("actor", actor)
                        .bind("reason", reason)
                        .execute()
                == 1;
    }

    static void used(Tx tx, UUID id, Instant at) {
        tx.handle().createUpdate("""
                        UPDATE api_key SET last_used_at = :at
                        WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :at)
                        """).bind("id", id).bind("at", at).execute();
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
