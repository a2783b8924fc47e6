package dev.sheaf.server.hub;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.wire.hub.StarStatus;
import java.util.UUID;

final class StarRows {
    private StarRows() {}

    /// An organization and a bundle.
    record Pair(long repository, UUID organization) {}

    /// Sets or removes a star. Returns false if nothing changed.
    static boolean set(Tx tx, Pair pair, boolean starred) {
        int changed = starred ? tx.change("""
                        INSERT INTO hub_star (repository_id, organization_id, created_at)
                        VALUES (:repository, :organization, :now) ON CONFLICT DO NOTHING
                        """, pair) : tx.change("""
                        DELETE FROM hub_star WHERE repository_id = :repository AND organization_id = :organization
                        """, pair);
        String sum = starred ? "stars + :changed" : "stars - :changed";
        return tx.change(
                        "UPDATE hub_entry SET stars = " + sum + " WHERE repository_id = :repository AND :changed > 0",
                        pair,
                        "changed",
                        changed)
                == 1;
    }

    static StarStatus status(Tx tx, Pair pair) {
        boolean starred = tx.has("""
                SELECT 1 FROM hub_star WHERE repository_id = :repository AND organization_id = :organization
                """, pair);
        return new StarStatus(
                starred, tx.number("SELECT stars FROM hub_entry WHERE repository_id = :repository", pair));
    }
}
