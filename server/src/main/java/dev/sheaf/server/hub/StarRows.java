package dev.sheaf.server.hub;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.wire.hub.StarStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

final class StarRows {
    private StarRows() {}

    /// Whose star it is.
    enum Owner {
        PERSON("hub_person_star", "account_id"),
        ORGANIZATION("hub_star", "organization_id");

        private final String table;
        private final String column;

        Owner(String table, String column) {
            this.table = table;
            this.column = column;
        }

        private String where() {
            return " WHERE repository_id = :repository AND " + column + " = :owner";
        }
    }

    /// A person or an organization, and a bundle.
    record Pair(long repository, Owner kind, UUID owner) {}

    /// Sets or removes a star. Returns false if nothing changed.
    static boolean set(Tx tx, Pair pair, boolean starred) {
        var kind = pair.kind();
        String sql = starred
                ? "INSERT INTO " + kind.table + " (repository_id, " + kind.column
                        + ", created_at) VALUES (:repository, :owner, :now) ON CONFLICT DO NOTHING"
                : "DELETE FROM " + kind.table + kind.where();
        int changed = tx.change(sql, "repository", pair.repository(), "owner", pair.owner());
        String sum = starred ? "stars + :changed" : "stars - :changed";
        return tx.change(
                        "UPDATE hub_entry SET stars = " + sum + " WHERE repository_id = :repository AND :changed > 0",
                        "repository",
                        pair.repository(),
                        "changed",
                        changed)
                == 1;
    }

    static StarStatus status(Tx tx, Pair pair) {
        boolean starred = tx.has(
                "SELECT 1 FROM " + pair.kind().table + pair.kind().where(),
                "repository",
                pair.repository(),
                "owner",
                pair.owner());
        return new StarStatus(
                starred, tx.number("SELECT stars FROM hub_entry WHERE repository_id = :id", "id", pair.repository()));
    }

    /// A star of a person.
    record Given(long repositoryId, Instant createdAt) {}

    /// Returns the stars of a person, newest first.
    ///
    /// @param before the stars that were given before this one, see [BundleStars.Place]
    static List<Given> of(Tx tx, UUID account, BundleStars.Place before, int limit) {
        return tx.list("""
                        SELECT repository_id, created_at FROM hub_person_star
                        WHERE account_id = :account AND (created_at, repository_id) < (:time, :repository)
                        ORDER BY created_at DESC, repository_id DESC LIMIT :limit
                        """, Given.class, before, "account", account, "limit", limit);
    }
}
