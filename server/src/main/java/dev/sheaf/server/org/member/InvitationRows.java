package dev.sheaf.server.org.member;

import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.Invitation;
import dev.sheaf.server.db.Columns;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

final class InvitationRows {
    private InvitationRows() {}

    private static Invitation invitation(ResultSet row, Instant now) throws SQLException {
        Instant expiresAt = Columns.instant(row, "expires_at");
        Instant acceptedAt = Columns.nullableInstant(row, "accepted_at");
        String state = acceptedAt != null
                ? "accepted"
                : Columns.nullableInstant(row, "revoked_at") != null
                        ? "revoked"
                        : now.isBefore(expiresAt) ? "pending" : "expired";
        return new Invitation(
                Columns.uuid(row, "id"),
                Columns.uuid(row, "organization_id"),
                row.getString("email"),
                row.getString("role"),
                state,
                Columns.instant(row, "created_at"),
                row.getString("created_by"),
                expiresAt,
                acceptedAt,
                null);
    }

    /// @return empty where there is an open one for the address
    static Optional<UUID> insert(
            Tx tx, UUID organization, EmailAddress email, Role role, Invitations.Handed handed, String actor) {
        return tx.find(
                """
                        INSERT INTO invitation (id, organization_id, email, role, token_hash, created_at, created_by,
                                                expires_at)
                        VALUES (:id, :organization, :email, :role, :hash, :now, :actor, :expires)
                        ON CONFLICT DO NOTHING RETURNING id
                        """,
                UUID.class,
                "id",
                Ids.next(tx.now()),
                "organization",
                organization,
                "email",
                email,
                "role",
                role,
                "hash",
                handed.hash(),
                "now",
                tx.now(),
                "actor",
                actor,
                "expires",
                handed.expiresAt());
    }

    static Optional<Invitation> find(Tx tx, UUID organization, UUID id) {
        return tx.find(
                "SELECT * FROM invitation WHERE organization_id = :organization AND id = :id",
                row -> invitation(row, tx.now()),
                "organization",
                organization,
                "id",
                id);
    }

    static Optional<Invitation> byHash(Tx tx, String hash) {
        return tx.find(
                "SELECT * FROM invitation WHERE token_hash = :hash", row -> invitation(row, tx.now()), "hash", hash);
    }

    static List<Invitation> list(Tx tx, UUID organization, String before, int limit) {
        return tx.list(
                """
                        SELECT * FROM invitation WHERE organization_id = :organization AND id < :before
                        ORDER BY id DESC LIMIT :limit
                        """, row -> invitation(row, tx.now()), "organization", organization, "before", before, "limit", limit);
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
                                """, "now", tx.now(), "id", id) == 1;
    }

    /// Of two that accept at the same time, one does; and a token that was replaced meanwhile does not.
    static boolean accept(Tx tx, UUID id, String hash) {
        return tx.change("""
                                UPDATE invitation SET accepted_at = :now
                                WHERE id = :id AND token_hash = :hash AND accepted_at IS NULL AND revoked_at IS NULL
                                  AND expires_at > :now
                                """, "now", tx.now(), "id", id, "hash", hash) == 1;
    }
}
