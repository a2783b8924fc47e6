package dev.sheaf.server.hub;

import dev.sheaf.server.db.Tx;
import java.util.UUID;

final class StarRows {
    private StarRows() {}

    /// False where the organization has starred it already.
    static boolean insert(Tx tx, long repositoryId, UUID organizationId) {
        return tx.handle()
                        .createUpdate("""
                                INSERT INTO hub_star (repository_id, organization_id, created_at)
                                VALUES (:repository, :organization, :now) ON CONFLICT DO NOTHING
                                """)
                        .bind("repository", repositoryId)
                        .bind("organization", organizationId)
                        .bind("now", tx.now())
                        .execute()
                == 1;
    }

    /// False where the organization has not starred it.
    static boolean delete(Tx tx, long repositoryId, UUID organizationId) {
        return tx.handle()
                        .createUpdate("""
                                DELETE FROM hub_star
                                WHERE repository_id = :repository AND organization_id = :organization
                                """)
                        .bind("repository", repositoryId)
                        .bind("organization", organizationId)
                        .execute()
                == 1;
    }

    /// Counts one more or one less; how many there are then.
    static long add(Tx tx, long repositoryId, int stars) {
        tx.handle()
                .createUpdate("UPDATE hub_entry SET stars = stars + :stars WHERE repository_id = :repository")
                .bind("stars", stars)
                .bind("repository", repositoryId)
                .execute();
        return count(tx, repositoryId);
    }

    static long count(Tx tx, long repositoryId) {
        return tx.handle()
                .createQuery("SELECT stars FROM hub_entry WHERE repository_id = :repository")
                .bind("repository", repositoryId)
                .mapTo(Long.class)
                .one();
    }

    static boolean has(Tx tx, long repositoryId, UUID organizationId) {
        return tx.handle()
                        .createQuery("""
                                SELECT COUNT(*) FROM hub_star
                                WHERE repository_id = :repository AND organization_id = :organization
                                """)
                        .bind("repository", repositoryId)
                        .bind("organization", organizationId)
                        .mapTo(Long.class)
                        .one()
                == 1;
    }
}
