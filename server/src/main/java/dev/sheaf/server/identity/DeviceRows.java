package dev.sheaf.server.identity;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.key.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class DeviceRows {
    private DeviceRows() {}

    /// A device that waits for a person's approval. Only keyed hashes of its codes are stored.
    ///
    /// @param accountId the person who decides; null before that person has signed in
    /// @param ticketHash the hash of the ticket that the person's decision must contain; null if no decision is
    /// open
    /// @param organizationId the organization that the device may act for; null before the approval
    public record Row(
            String deviceHash,
            String userHash,
            String client,
            Scope scope,
            String address,
            State state,
            @Nullable UUID accountId,
            @Nullable String ticketHash,
            @Nullable UUID organizationId,
            Instant expiresAt,
            long intervalSeconds,
            Instant polledAt) {}

    public enum State {
        PENDING,
        APPROVED,
        DENIED
    }

    public static void insert(Tx tx, Row row) {
        tx.change("""
                INSERT INTO device_grant (device_hash, user_hash, client, scope, address, state, expires_at,
                                          interval_seconds, polled_at)
                VALUES (:deviceHash, :userHash, :client, :scope, :address, :state, :expiresAt,
                        :intervalSeconds, :polledAt)
                """, row);
    }

    public static Optional<Row> byDevice(Tx tx, String hash) {
        return find(tx, "device_hash", hash);
    }

    public static Optional<Row> byUser(Tx tx, String hash) {
        return find(tx, "user_hash", hash);
    }

    private static Optional<Row> find(Tx tx, String column, String hash) {
        return tx.find(
                "SELECT * FROM device_grant WHERE " + column + " = :hash"
                        + tx.dialect().forUpdate(),
                Row.class,
                "hash",
                hash);
    }

    public static void polled(Tx tx, Row row, Duration interval) {
        tx.change("""
                        UPDATE device_grant SET polled_at = :now, interval_seconds = :interval
                        WHERE device_hash = :device
                        """, "interval", interval.toSeconds(), "device", row.deviceHash());
    }

    public static void claimed(Tx tx, Row row, UUID account, String ticketHash) {
        tx.change("""
                        UPDATE device_grant SET account_id = :account, ticket_hash = :ticket WHERE device_hash = :device
                        """, "account", account, "ticket", ticketHash, "device", row.deviceHash());
    }

    public static void decided(Tx tx, Row row, State state, @Nullable UUID organization) {
        tx.change("""
                        UPDATE device_grant SET state = :state, organization_id = :organization, ticket_hash = NULL
                        WHERE device_hash = :device
                        """, "state", state, "organization", organization, "device", row.deviceHash());
    }

    public static void delete(Tx tx, Row row) {
        tx.change("DELETE FROM device_grant WHERE device_hash = :device", "device", row.deviceHash());
    }

    /// Withdraws a person's approvals and open decisions for devices that have no session yet.
    static void forget(Tx tx, UUID account) {
        tx.change("DELETE FROM device_grant WHERE account_id = :account", "account", account);
    }

    /// Counts waiting devices whose address begins with this prefix. The comparison appends a colon to each
    /// address, so a prefix with a colon at its end matches only whole groups.
    public static long countAt(Tx tx, String prefix) {
        return tx.number("""
                        SELECT count(*) FROM device_grant
                        WHERE expires_at > :now AND substr(address || ':', 1, :length) = :prefix
                        """, "length", prefix.length(), "prefix", prefix);
    }

    public static long count(Tx tx) {
        return tx.number("SELECT count(*) FROM device_grant WHERE expires_at > :now");
    }

    /// Deletes the waiting device that has not asked for the longest time.
    ///
    /// @param before the time since which it has not asked
    /// @return false if all have asked since
    public static boolean deleteSilent(Tx tx, Instant before) {
        return tx.change("""
                                DELETE FROM device_grant WHERE device_hash = (
                                    SELECT device_hash FROM device_grant
                                    WHERE state = 'PENDING' AND account_id IS NULL AND expires_at > :now AND polled_at < :before
                                    ORDER BY polled_at LIMIT 1)
                                """, "before", before) == 1;
    }

    public static int purge(Tx tx) {
        return tx.change(
                "DELETE FROM device_grant WHERE expires_at <= :old",
                "old",
                tx.now().minus(Duration.ofHours(1)));
    }
}
