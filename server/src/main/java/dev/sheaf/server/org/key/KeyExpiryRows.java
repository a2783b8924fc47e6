package dev.sheaf.server.org.key;

import dev.sheaf.engine.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

final class KeyExpiryRows {
    /// A key for which a notification is due.
    ///
    /// @param daysLeft 14, 3, or 0 days
    record Due(UUID id, UUID organizationId, String name, String hint, Instant endsAt, long daysLeft) {}

    private static final long DAY = Duration.ofDays(1).toMillis();

    private KeyExpiryRows() {}

    /// Returns keys whose owners have not been notified yet, sorted by expiry.
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

    /// @return false if another node has sent this notification in the meantime
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

    /// Deletes keys that ended before a moment. A key that was rotated stays as long as its successor does: what its
    /// holder made, such as schedules, continues under the successor.
    static int removeEnded(Tx tx, Instant before, int limit) {
        int revoked = remove(tx, "k.revoked_at < :before", before, limit);
        return revoked
                + remove(
                        tx,
                        "k.revoked_at IS NULL AND COALESCE(k.retire_at, k.expires_at) < :before",
                        before,
                        limit - revoked);
    }

    private static int remove(Tx tx, String which, Instant before, int limit) {
        return tx.change(
                "DELETE FROM api_key WHERE id IN (SELECT k.id FROM api_key k WHERE " + which + """
                         AND NOT EXISTS (SELECT 1 FROM api_key s WHERE s.id = k.replaced_by) LIMIT :limit)
                        """,
                "before",
                before,
                "limit",
                limit);
    }
}
