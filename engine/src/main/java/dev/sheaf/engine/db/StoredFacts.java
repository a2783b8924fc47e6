package dev.sheaf.engine.db;

import java.util.Optional;

/// Stores facts about the installation by name.
public final class StoredFacts {
    private StoredFacts() {}

    public static Optional<String> find(Tx tx, String name) {
        return tx.find("SELECT value FROM setting WHERE name = :name", String.class, "name", name);
    }

    /// Returns the fact and locks it until the transaction ends.
    public static Optional<String> lock(Tx tx, String name) {
        return tx.find(
                "SELECT value FROM setting WHERE name = :name" + tx.dialect().forUpdate(), String.class, "name", name);
    }

    /// Records a fact unless it is known. Concurrent transactions that do the same wait.
    ///
    /// @return false if it is known already
    public static boolean note(Tx tx, String name, String value) {
        return tx.change(
                        "INSERT INTO setting (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING",
                        "name",
                        name,
                        "value",
                        value)
                == 1;
    }

    public static void set(Tx tx, String name, String value) {
        tx.change("UPDATE setting SET value = :value WHERE name = :name", "name", name, "value", value);
    }

    /// Changes a fact. Returns false if its value is not `old`.
    public static boolean replace(Tx tx, String name, String old, String value) {
        boolean isOld = lock(tx, name).filter(old::equals).isPresent();
        if (isOld) {
            set(tx, name, value);
        }
        return isOld;
    }

    public static void forget(Tx tx, String name) {
        tx.change("DELETE FROM setting WHERE name = :name", "name", name);
    }
}
