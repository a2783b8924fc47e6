package dev.sheaf.server.identity;

import dev.sheaf.engine.db.ColumnReader;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.key.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class SessionRows {
    private static final String SELECT = """
            SELECT s.id, s.account_id, a.email, a.disabled_at, s.seed, s.generation, s.rotated_at, s.method, s.device,
                   s.address, s.created_at, s.used_at, s.idle_until, s.ends_at, s.ended_at, s.scope,
                   s.organization_id
            FROM session s JOIN account a ON a.id = s.account_id
            """;
    private static final String LIVE = " s.ended_at IS NULL AND s.idle_until > :now AND s.ends_at > :now ";

    private SessionRows() {}

    /// @param rotatedAt when the token of this generation was issued
    public record Row(
            UUID id,
            UUID account,
            String email,
            @Nullable Instant disabledAt,
            String seed,
            long generation,
            Instant rotatedAt,
            String method,
            String device,
            String address,
            Instant createdAt,
            Instant usedAt,
            Instant idleUntil,
            Instant endsAt,
            @Nullable Instant endedAt,
            Sessions.@Nullable Delegation delegation) {
        /// Returns the time at which the session ends if it is not used.
        Instant end() {
            return idleUntil.isBefore(endsAt) ? idleUntil : endsAt;
        }

        /// Leaves out the seed, since this record may reach a log.
        @Override
        public String toString() {
            return "Session[" + id + ", " + generation + "]";
        }
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                ColumnReader.uuid(row, "id"),
                ColumnReader.uuid(row, "account_id"),
                row.getString("email"),
                ColumnReader.nullableInstant(row, "disabled_at"),
                row.getString("seed"),
                row.getLong("generation"),
                ColumnReader.instant(row, "rotated_at"),
                row.getString("method"),
                row.getString("device"),
                row.getString("address"),
                ColumnReader.instant(row, "created_at"),
                ColumnReader.instant(row, "used_at"),
                ColumnReader.instant(row, "idle_until"),
                ColumnReader.instant(row, "ends_at"),
                ColumnReader.nullableInstant(row, "ended_at"),
                delegation(row.getString("scope"), row.getString("organization_id")));
    }

    private static Sessions.@Nullable Delegation delegation(@Nullable String scope, @Nullable String organization) {
        return scope == null || organization == null
                ? null
                : new Sessions.Delegation(Scope.find(scope).orElseThrow(), UUID.fromString(organization));
    }

    static void insert(Tx tx, Row session) {
        var delegation = session.delegation();
        tx.change(
                """
                        INSERT INTO session (id, account_id, seed, generation, rotated_at, method, device, address,
                                             created_at, used_at, idle_until, ends_at, scope, organization_id)
                        VALUES (:id, :account, :seed, :generation, :rotatedAt, :method, :device, :address,
                                :createdAt, :usedAt, :idleUntil, :endsAt, :delegated, :organization)
                        """,
                session,
                "delegated",
                delegation == null ? null : delegation.scope(),
                "organization",
                delegation == null ? null : delegation.organization());
    }

    public static Optional<Row> find(Tx tx, UUID id) {
        return tx.find(SELECT + "WHERE s.id = :id", SessionRows::row, "id", id);
    }

    /// Locks the session until the transaction ends.
    static Optional<Row> lock(Tx tx, UUID id) {
        boolean there = tx.find(
                        "SELECT id FROM session WHERE id = :id" + tx.dialect().forUpdate(), String.class, "id", id)
                .isPresent();
        return there ? find(tx, id) : Optional.empty();
    }

    /// Lists the live sessions of a person, newest first.
    static List<Row> live(Tx tx, UUID account, String before, int limit) {
        return tx.list(
                SELECT + "WHERE s.account_id = :account AND" + LIVE
                        + "AND s.id < :before ORDER BY s.id DESC LIMIT :limit",
                SessionRows::row,
                "account",
                account,
                "before",
                before,
                "limit",
                limit);
    }

    static void rotate(Tx tx, Row session, Instant idleUntil, String address) {
        tx.change(
                """
                        UPDATE session SET generation = :generation, rotated_at = :now, used_at = :now,
                                           idle_until = :idle, address = :address
                        WHERE id = :id
                        """, "generation", session.generation() + 1, "idle", idleUntil, "address", address, "id", session.id());
    }

    /// Records a use of a session, which keeps it from becoming idle.
    static void touch(Tx tx, UUID id, Instant idleUntil, String address) {
        tx.change(
                "UPDATE session SET used_at = :now, idle_until = :idle, address = :address WHERE id = :id",
                "idle",
                idleUntil,
                "address",
                address,
                "id",
                id);
    }

    /// @return false if it had already ended
    static boolean end(Tx tx, UUID id, String because) {
        return tx.change("""
                                UPDATE session SET ended_at = :now, ended_because = :because
                                WHERE id = :id AND ended_at IS NULL
                                """, "because", because, "id", id) == 1;
    }

    /// Deletes sessions that ended before this time.
    static void purge(Tx tx, Instant before) {
        tx.change(
                "DELETE FROM session WHERE ends_at < :before OR ended_at < :before OR idle_until < :before",
                "before",
                before);
    }
}
