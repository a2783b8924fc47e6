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
        return tx.handle()
                .createQuery("""
                        INSERT INTO invitation (id, organization_id, email, role, token_hash, created_at, created_by,
                                                expires_at)
                        VALUES (:id, :organization, :email, :role, :hash, :now, :actor, :expires)
                        ON CONFLICT DO NOTHING RETURNING id
                        """)
                .bind("id", Ids.next(tx.now()))
                .bind("organization", organization)
                .bind("email", email)
                .bind("role", role)
                .bind("hash", handed.hash())
                .bind("now", tx.now())
                .bind("actor", actor)
                .bind("expires", handed.expiresAt())
                .mapTo(UUID.class)
                .findOne();
    }

    static Optional<Invitation> find(Tx tx, UUID organization, UUID id) {
        return tx.handle()
                .createQuery("SELECT * FROM invitation WHERE organization_id = :organization AND id = :id")
                .bind("organization", organization)
                .bind("id", id)
                .map((row, context) -> invitation(row, tx.now()))
                .findOne();
    }

    static Optional<Invitation> byHash(Tx tx, String hash) {
        return tx.handle()
                .createQuery("SELECT * FROM invitation WHERE token_hash = :hash")
                .bind("hash", hash)
                .map((row, context) -> invitation(row, tx.now()))
                .findOne();
    }

    static List<Invitation> list(Tx tx, UUID organization, String before, int limit) {
        return tx.handle()
                .createQuery("""
                        SELECT * FROM invitation WHERE organization_id = :organization AND id < :before
                        ORDER BY id DESC LIMIT :limit
                        """)
                .bind("organization", organization)
                .bind("before", before)
                .bind("limit", limit)
                .map((row, context) -> invitation(row, tx.now()))
                .list();
    }

    static void resend(Tx tx, UUID id, Invitations.Handed handed) {
        tx.handle()
                .createUpdate("UPDATE invitation SET token_hash = :hash, expires_at = :expires WHERE id = :id")
                .bind("hash", handed.hash())
                .bind("expires", handed.expiresAt())
                .bind("id", id)
                .execute();
    }

    /// @return whether it was open
    static boolean revoke(Tx tx, UUID id) {
        return tx.handle()
                        .createUpdate("""
                                UPDATE invitation SET revoked_at = :now
                                WHERE id = :id AND accepted_at IS NULL AND revoked_at IS NULL
                                """)
                        .bind("now", tx.now())
                        .bind("id", id)
                        .execute()
                == 1;
    }

    /// Of two that accept at the same time, one does; and a token that was replaced meanwhile does not.
    static boolean accept(Tx tx, UUID id, String hash) {
        return tx.handle()
                        .createUpdate("""
                                UPDATE invitation SET accepted_at = :now
                                WHERE id = :id AND token_hash = :hash AND accepted_at IS NULL AND revoked_at IS NULL
                                  AND expires_at > :now
                                """)
                        .bind("now", tx.now())
                        .bind("id", id)
                        .bind("hash", hash)
                        .execute()
                == 1;
    }
}
