package dev.sheaf.server.org;

import dev.sheaf.model.Handle;
import dev.sheaf.model.wire.Organization;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;

final class OrganizationRows {
    private static final RowMapper<Organization> MAPPER = ConstructorMapper.of(Organization.class);

    private OrganizationRows() {}

    static boolean isEmpty(Tx tx) {
        return tx.handle()
                .createQuery("SELECT count(*) FROM organization")
                .mapTo(Long.class)
                .one()
                .equals(0L);
    }

    /// True for one transaction ever, which makes the first organization; others that try at the same time wait for
    /// it.
    static boolean beFirst(Tx tx) {
        return tx.handle().execute("""
                INSERT INTO setting (name, value) VALUES ('bootstrapped', 'yes') ON CONFLICT DO NOTHING
                """) == 1 && isEmpty(tx);
    }

    /// Sets a fact about the installation where it is not set; true where it is this value then.
    static boolean agree(Tx tx, String name, String value) {
        tx.handle()
                .createUpdate("INSERT INTO setting (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING")
                .bind("name", name)
                .bind("value", value)
                .execute();
        return tx.handle()
                .createQuery("SELECT value FROM setting WHERE name = :name")
                .bind("name", name)
                .mapTo(String.class)
                .one()
                .equals(value);
    }

    static UUID insert(Tx tx, Handle handle, String name) {
        UUID id = Ids.next(tx.now());
        tx.handle()
                .createUpdate(
                        "INSERT INTO organization (id, handle, name, created_at) VALUES (:id, :handle, :name, :now)")
                .bind("id", id)
                .bind("handle", handle)
                .bind("name", name)
                .bind("now", tx.now())
                .execute();
        return id;
    }

    static Optional<Organization> find(Tx tx, UUID id) {
        return tx.handle()
                .createQuery("SELECT id, handle, name, created_at FROM organization WHERE id = :id")
                .bind("id", id)
                .map(MAPPER)
                .findOne();
    }

    /// Holds the organization until the transaction ends: what is counted or must be unique within it changes one
    /// by one.
    static void lock(Tx tx, UUID id) {
        tx.handle()
                .createQuery("SELECT id FROM organization WHERE id = :id"
                        + tx.dialect().forUpdate())
                .bind("id", id)
                .mapTo(String.class)
                .one();
    }
}
