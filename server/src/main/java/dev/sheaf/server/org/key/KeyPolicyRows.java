package dev.sheaf.server.org.key;

import dev.sheaf.engine.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

final class KeyPolicyRows {
    private KeyPolicyRows() {}

    static KeyPolicy find(Tx tx, UUID organizationId) {
        return tx.find(
                        "SELECT default_expiry, max_expiry FROM key_policy WHERE organization_id = :organization",
                        row -> new KeyPolicy(period(row, "default_expiry"), period(row, "max_expiry")),
                        "organization",
                        organizationId)
                .orElse(KeyPolicy.NONE);
    }

    private static @Nullable Duration period(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Duration.ofMillis(millis);
    }

    static void set(Tx tx, UUID organizationId, KeyPolicy policy) {
        tx.change(
                """
                        INSERT INTO key_policy (organization_id, default_expiry, max_expiry)
                        VALUES (:organization, :default, :max)
                        ON CONFLICT (organization_id) DO UPDATE
                        SET default_expiry = excluded.default_expiry, max_expiry = excluded.max_expiry
                        """,
                "organization",
                organizationId,
                "default",
                millis(policy.defaultExpiry()),
                "max",
                millis(policy.maxExpiry()));
    }

    private static @Nullable Long millis(@Nullable Duration period) {
        return period == null ? null : period.toMillis();
    }
}
