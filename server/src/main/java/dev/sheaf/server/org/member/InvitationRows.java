package dev.sheaf.server.org.member;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.wire.org.Invitation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

final class InvitationRows {
    private static final String SELECT = """
            SELECT id, organization_id, email, role, created_at, created_by, expires_at, accepted_at,
                   CASE WHEN accepted_at IS NOT NULL THEN 'accepted' WHEN revoked_at IS NOT NULL THEN 'revoked'
                        WHEN expires_at > :now THEN 'pending' ELSE 'expired' END AS state, NULL AS token
            FROM invitation
            """;

    private InvitationRows() {}

    record Row(InvitationState state, Invitation shown) {}

    /// @return empty if the address has an open invitation already
    static Optional<UUID> insert(
            Tx tx, UUID organization, NewInvitation wanted, Invitations.Handed handed, String actor) {
        record Row(UUID id, UUID organization, Instant now, String actor) {}
        return tx.find(
                """
                INSERT INTO invitation (id, organization_id, email, role, token_hash, created_at, created_by, expires_at)
                VALUES (:id, :organization, :email, :role, :hash, :now, :actor, :expiresAt)
                ON CONFLICT DO NOTHING RETURNING id
                """, UUID.class, new Row(TimeOrderedIds.next(tx.now()), organization, tx.now(), actor), wanted, handed);
    }

    static Optional<Row> find(Tx tx, UUID organization, UUID id) {
        return tx.find(
                SELECT + "WHERE organization_id = :organization AND id = :id",
                Row.class,
                "organization",
                organization,
                "id",
                id);
    }

    static Optional<Row> byHash(Tx tx, String hash) {
        return tx.find(SELECT + "WHERE token_hash = :hash", Row.class, "hash", hash);
    }

    /// @param open whether to list only those that were neither accepted nor revoked
    static List<Row> list(Tx tx, UUID organization, boolean open, String before, int limit) {
        record Page(UUID organization, String before, int limit, Instant now) {}
        return tx.list(
                SELECT + "WHERE organization_id = :organization AND id < :before"
                        + (open ? " AND accepted_at IS NULL AND revoked_at IS NULL" : "")
                        + " ORDER BY id DESC LIMIT :limit",
                Row.class,
                new Page(organization, before, limit, tx.now()));
    }

    static void resend(Tx tx, UUID id, Invitations.Handed handed) {
        tx.change(
                "UPDATE invitation SET token_hash = :hash, expires_at = :expires WHERE id = :id",
                "hash",
                handed.hash(),
                "expires",
                handed.expiresAt(),
                "id",
                id);
    }

    /// @return whether it was open
    static boolean revoke(Tx tx, UUID id) {
        return tx.change("""
                                UPDATE invitation SET revoked_at = :now
                                WHERE id = :id AND accepted_at IS NULL AND revoked_at IS NULL
                                """, "id", id) == 1;
    }

    /// Accepts an invitation. Only one of two concurrent calls succeeds. Fails if the token was replaced in the
    /// meantime.
    static boolean accept(Tx tx, UUID id, String hash) {
        return tx.change("""
                                UPDATE invitation SET accepted_at = :now
                                WHERE id = :id AND token_hash = :hash AND accepted_at IS NULL AND revoked_at IS NULL
                                  AND expires_at > :now
                                """, "id", id, "hash", hash) == 1;
    }

    /// Deletes invitations that ended before a moment, the oldest first.
    static int removeEnded(Tx tx, Instant before, int limit) {
        return tx.change("""
                        DELETE FROM invitation WHERE id IN (
                            SELECT id FROM invitation
                            WHERE id < :edge AND (accepted_at < :before OR revoked_at < :before OR expires_at < :before)
                            ORDER BY id LIMIT :limit)
                        """, "edge", TimeOrderedIds.edge(before), "before", before, "limit", limit);
    }
}
