package dev.sheaf.engine.db;

/// The smallest table, for tests that only need some rows.
public final class OrganizationTable {
    private OrganizationTable() {}

    public static String insert(Tx tx, String id) {
        tx.handle()
                .createUpdate("INSERT INTO organization (id, handle, name, created_at) VALUES (:id, :id, '', 0)")
                .bind("id", id)
                .execute();
        return id;
    }

    public static void rename(Tx tx, String id, String name) {
        tx.handle()
                .createUpdate("UPDATE organization SET name = :name WHERE id = :id")
                .bind("id", id)
                .bind("name", name)
                .execute();
    }

    public static String name(Tx tx, String id) {
        return tx.handle()
                .createQuery("SELECT name FROM organization WHERE id = :id")
                .bind("id", id)
                .mapTo(String.class)
                .one();
    }

    static long count(Tx tx) {
        return tx.handle()
                .createQuery("SELECT count(*) FROM organization")
                .mapTo(Long.class)
                .one();
    }

    static long count(Database database) {
        return database.read(OrganizationTable::count);
    }
}
