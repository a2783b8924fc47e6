package dev.sheaf.server.org;

import dev.sheaf.engine.db.StoredFacts;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Handle;
import dev.sheaf.model.wire.org.Organization;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

public final class OrganizationRows {
    private static final String SELECT = "SELECT id, handle, name, created_at FROM organization ";

    private static final String FIRST = "first-organization";

    private OrganizationRows() {}

    public static boolean isEmpty(Tx tx) {
        return !tx.has("SELECT 1 FROM organization LIMIT 1");
    }

    /// Returns true only in the one transaction that creates the first organization, with this id. Concurrent
    /// transactions wait for it.
    public static boolean beFirst(Tx tx, UUID id) {
        return StoredFacts.note(tx, FIRST, id.toString()) && isEmpty(tx);
    }

    /// Returns the installation's first organization.
    public static Optional<UUID> first(Tx tx) {
        return StoredFacts.find(tx, FIRST).map(UUID::fromString);
    }

    /// Notes the oldest organization as the first, for an installation that has lost this note. Ids are in the order of
    /// time.
    ///
    /// @return whether there is one
    public static boolean noteOldestAsFirst(Tx tx) {
        return tx.first("SELECT id FROM organization ORDER BY id LIMIT 1", UUID.class)
                .filter(oldest -> StoredFacts.note(tx, FIRST, oldest.toString()))
                .isPresent();
    }

    /// @return false if the handle is taken
    public static boolean insertNew(Tx tx, UUID id, Handle handle, String name) {
        return tx.change("""
                                INSERT INTO organization (id, handle, name, created_at)
                                VALUES (:id, :handle, :name, :now) ON CONFLICT DO NOTHING
                                """, "id", id, "handle", handle, "name", name) == 1;
    }

    public static void rename(Tx tx, UUID id, String name) {
        tx.change("UPDATE organization SET name = :name WHERE id = :id", "name", name, "id", id);
    }

    public static List<Organization> list(Tx tx, Collection<UUID> ids, String after, int limit) {
        return ids.isEmpty()
                ? List.of()
                : tx.list(SELECT + """
                        WHERE id IN (<ids>) AND id > :after ORDER BY id LIMIT :limit
                        """, Organization.class, "ids", ids, "after", after, "limit", limit);
    }

    static Optional<String> handle(Tx tx, UUID id) {
        return tx.find("SELECT handle FROM organization WHERE id = :id", String.class, "id", id);
    }

    public static Optional<Organization> find(Tx tx, UUID id) {
        return tx.find(SELECT + "WHERE id = :id", Organization.class, "id", id);
    }

    /// Finds an organization by id or handle. A handle may look like another organization's id; then the id
    /// wins.
    public static Optional<Organization> find(Tx tx, String idOrHandle) {
        if (!idOrHandle.matches("[a-z0-9-]{1,100}")) { // also refuses NUL, which PostgreSQL does not accept
            return Optional.empty();
        }
        return tx.find(SELECT + """
                        WHERE id = :text OR handle = :text
                        ORDER BY CASE WHEN id = :text THEN 0 ELSE 1 END LIMIT 1
                        """, Organization.class, "text", idOrHandle);
    }

    /// Returns ids in ascending order, starting after `after`.
    public static List<UUID> ids(Tx tx, String after, int limit) {
        return tx.list(
                "SELECT id FROM organization WHERE id > :after ORDER BY id LIMIT :limit",
                UUID.class,
                "after",
                after,
                "limit",
                limit);
    }

    /// Locks the organization until the transaction ends, so that changes of its counts and of unique values
    /// are serialized.
    public static void lock(Tx tx, UUID id) {
        tx.one("SELECT id FROM organization WHERE id = :id" + tx.dialect().forUpdate(), String.class, "id", id);
    }
}
