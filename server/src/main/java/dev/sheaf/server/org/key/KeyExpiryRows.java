package dev.sheaf.server.org.key;

import dev.sheaf.server.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

final class KeyExpiryRows {
    /// A key that has reached a step towards its end.
    ///
    /// @param daysLeft the step: 14, 3, or 0
    record Due(UUID id, UUID organizationId, String name, String hint, Instant endsAt, long daysLeft) {}

    private static final long DAY = Duration.ofDays(1).toMillis();

    private KeyExpiryRows() {}

    /// Those whose owners were not told yet, the first to end first.
    static List<Due> due(Tx tx, int limit) {
        long now = tx.now().toEpochMilli();
        record Values(long now, long in3, long in14, long days3, long days14, int limit) {}
        return tx.list("""
                        SELECT * FROM (
                            SELECT id, organization_id, name, hint, COALESCE(retire_at, expires_at) AS ends_at, told_days,
                                CASE WHEN COALESCE(retire_at, expires_at) <= :now THEN 0
                                     WHEN retire_at IS NOT NULL THEN NULL
                                     WHEN expires_at <= :in3 AND expires_at - created_at > :days3 THEN 3
                                     WHEN expires_at <= :in14 AND expires_at - created_at > :days14 THEN 14
                                     END AS days_left
                            FROM api_key
                            WHERE revoked_at IS NULL AND COALESCE(retire_at, expires_at) <= :in14
                              AND (told_days IS NULL OR told_days > 0)
                        ) AS ending
                        WHERE days_left IS NOT NULL AND (told_days IS NULL OR told_days > days_left)
                        ORDER BY ends_at, id LIMIT :limit
                        """, Due.class, new Values(now, now + 3 * DAY, now + 14 * DAY, 3 * DAY, 14 * DAY, limit));
    }

    /// @return false where another node has told of the step meanwhile
    static boolean told(Tx tx, Due key) {
        return tx.change(
                        "UPDATE api_key SET told_days = :days"
                                + " WHERE id = :id AND (told_days IS NULL OR told_days > :days)",
                        "days",
                        key.daysLeft(),
                        "id",
                        key.id())
                == 1;
    }
}
