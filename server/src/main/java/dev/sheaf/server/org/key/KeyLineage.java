package dev.sheaf.server.org.key;

import dev.sheaf.engine.db.Tx;
import java.util.Optional;
import java.util.UUID;

/// The relation between keys and the keys that rotation made from them.
public final class KeyLineage {
    private static final int MOST_ROTATIONS = 1_000;

    private KeyLineage() {}

    /// Returns the person who created a key, or the key that created it, any number of times; empty if nobody is known.
    public static Optional<UUID> person(Tx tx, UUID key) {
        return tx.first("""
                        WITH RECURSIVE line (made_by, steps) AS (
                            SELECT created_by, 1 FROM api_key WHERE id = :key
                            UNION ALL
                            SELECT api_key.created_by, steps + 1 FROM api_key JOIN line ON 'key:' || api_key.id = line.made_by
                            WHERE steps < :most)
                        SELECT made_by FROM line WHERE made_by LIKE 'user:%' LIMIT 1
                        """, String.class, "key", key, "most", MOST_ROTATIONS)
                .map(actor -> UUID.fromString(actor.substring("user:".length())));
    }

    /// Returns whether a key was made by rotating another one, any number of times.
    public static boolean descends(Tx tx, UUID key, String ancestor) {
        return tx.has("""
                WITH RECURSIVE line (id, steps) AS (
                    SELECT rotated_from, 1 FROM api_key WHERE id = :key
                    UNION ALL
                    SELECT api_key.rotated_from, steps + 1 FROM api_key JOIN line ON api_key.id = line.id
                    WHERE steps < :most)
                SELECT 1 FROM line WHERE id = :ancestor
                """, "key", key, "most", MOST_ROTATIONS, "ancestor", ancestor);
    }
}
