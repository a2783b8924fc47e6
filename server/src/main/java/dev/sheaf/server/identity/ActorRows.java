package dev.sheaf.server.identity;

import dev.sheaf.engine.db.Tx;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// Those who do something: people, keys, trusted publishers and workers.
final class ActorRows {
    private ActorRows() {}

    /// Returns names by actor, never an e-mail address. A person who has left has no name.
    static Map<String, String> names(Tx tx, UUID organization, Set<UUID> ids) {
        return tx.map("""
                SELECT 'user:' || account.id AS actor, coalesce(nullif(account.full_name, ''), account.username) AS name
                FROM account JOIN membership m ON m.account_id = account.id AND m.organization_id = :organization
                WHERE account.id IN (<ids>)
                UNION ALL
                SELECT 'key:' || id, name FROM api_key WHERE organization_id = :organization AND id IN (<ids>)
                UNION ALL
                SELECT 'publisher:' || id, coalesce(repository, issuer)
                FROM trusted_publisher WHERE organization_id = :organization AND id IN (<ids>)
                UNION ALL
                SELECT 'worker:' || id, coalesce(nullif(name, ''), instance_id)
                FROM worker WHERE organization_id = :organization AND id IN (<ids>)
                """, String.class, String.class, "organization", organization, "ids", ids);
    }
}
