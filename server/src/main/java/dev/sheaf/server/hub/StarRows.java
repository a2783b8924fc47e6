package dev.sheaf.server.hub;

import dev.sheaf.server.db.Tx;
import java.util.UUID;

final class StarRows {
    private StarRows() {}

    /// False where the organization has starred it already.
    static boolean insert(Tx tx, long repositoryId, UUID organizationId) {
        return tx.change("""
                                INSERT INTO hub_star (repository_id, organization_id, created_at)
                                VALUES (:repository, :organization, :now) ON CONFLICT DO NOTHING
                                """, "repository", repositoryId, "organization", organizationId, "now", tx.now()) == 1;
    }

    /// False where the organization has not starred it.
    static boolean delete(Tx tx, long repositoryId, UUID organizationId) {
        return tx.change("""
                                DELETE FROM hub_star
                                WHERE repository_id = :repository AND organization_id = :organization
                                """, "repository", repositoryId, "organization", organizationId) == 1;
    }

    /// Counts one more or one less; how many there are then.
    static long add(Tx tx, long repositoryId, int stars) {
        tx.change(
                "UPDATE hub_entry SET stars = stars + :stars WHERE repository_id = :repository",
                "stars",
                stars,
                "repository",
                repositoryId);
        return count(tx, repositoryId);
    }

    static long count(Tx tx, long repositoryId) {
        return tx.number("SELECT stars FROM hub_entry WHERE repository_id = :repository", "repository", repositoryId);
    }

    static boolean has(Tx tx, long repositoryId, UUID organizationId) {
        return tx.number("""
                                SELECT COUNT(*) FROM hub_star
                                WHERE repository_id = :repository AND organization_id = :organization
                                """, "repository", repositoryId, "organization", organizationId) == 1;
    }
}
