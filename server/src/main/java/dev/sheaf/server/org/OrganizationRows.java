package dev.sheaf.server.org;

import dev.sheaf.model.Handle;
import dev.sheaf.model.wire.Organization;
import dev.sheaf.server.db.Facts;
import dev.sheaf.server.db.Tx;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;

public final class OrganizationRows {
    private static final RowMapper<Organization> MAPPER = ConstructorMapper.of(Organization.class);

    private static final String FIRST = "first-organization";

    private OrganizationRows() {}

    public static boolean isEmpty(Tx tx) {
        return !tx.has("SELECT 1 FROM organization LIMIT 1");
    }

    /// True for one transaction ever, which makes the first organization under this id; others that try at the same
    /// time wait for it.
    public static boolean beFirst(Tx tx, UUID id) {
        return Facts.note(tx, FIRST, id.toString()) && isEmpty(tx);
    }

    /// The organization that the installation began with.
    public static Optional<UUID> first(Tx tx) {
        return Facts.find(tx, FIRST).map(UUID::fromString);
    }

    public static void insert(Tx tx, UUID id, Handle handle, String name) {
        tx.change(
                "INSERT INTO organization (id, handle, name, created_at) VALUES (:id, :handle, :name, :now)",
                "id",
                id,
                "handle",
                handle,
                "name",
                name,
                "now",
                tx.now());
    }

    /// @return false where the handle is taken
    public static boolean insertNew(Tx tx, UUID id, Handle handle, String name) {
        return tx.change("""
                                INSERT INTO organization (id, handle, name, created_at)
                                VALUES (:id, :handle, :name, :now) ON CONFLICT DO NOTHING
                                """, "id", id, "handle", handle, "name", name, "now", tx.now()) == 1;
    }

    public static void rename(Tx tx, UUID id, String name) {
        tx.change("UPDATE organization SET name = :name WHERE id = :id", "name", name, "id", id);
    }

    public static List<Organization> list(Tx tx, Collection<UUID> ids, String after, int limit) {
        return ids.isEmpty()
                ? List.of()
                : tx.handle()
                        .createQuery("""
                                SELECT id, handle, name, created_at FROM organization
                                WHERE id IN (<ids>) AND id > :after ORDER BY id LIMIT :limit
                                """)
                        .bindList("ids", List.copyOf(ids))
                        .bind("after", after)
                        .bind("limit", limit)
                        .map(MAPPER)
                        .list();
    }

    public static Optional<Organization> find(Tx tx, UUID id) {
        return tx.handle()
                .createQuery("SELECT id, handle, name, created_at FROM organization WHERE id = :id")
                .bind("id", id)
                .map(MAPPER)
                .findOne();
    }

    /// By id or handle; a handle may look like another's id, which then wins.
    public static Optional<Organization> find(Tx tx, String idOrHandle) {
        if (!idOrHandle.matches("[a-z0-9-]{1,100}")) { // NUL, which PostgreSQL refuses, among others
            return Optional.empty();
        }
        return tx.handle().createQuery("""
                        SELECT id, handle, name, created_at FROM organization WHERE id = :text OR handle = :text
                        ORDER BY CASE WHEN id = :text THEN 0 ELSE 1 END LIMIT 1
                        """).bind("text", idOrHandle).map(MAPPER).findOne();
    }

    /// Ids in their order, those after `after`.
    public static List<UUID> ids(Tx tx, String after, int limit) {
        return tx.list(
                "SELECT id FROM organization WHERE id > :after ORDER BY id LIMIT :limit",
                UUID.class,
                "after",
                after,
                "limit",
                limit);
    }

    /// Holds the organization until the transaction ends: what is counted or must be unique within it changes one
    /// by one.
    public static void lock(Tx tx, UUID id) {
        tx.one("SELECT id FROM organization WHERE id = :id" + tx.dialect().forUpdate(), String.class, "id", id);
    }
}
