package dev.sheaf.server.maintenance.backup;

import dev.sheaf.engine.db.StoredFacts;
import dev.sheaf.engine.db.TableCopy;
import dev.sheaf.engine.db.TableInfo;
import dev.sheaf.engine.db.Tx;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Selects the tables of a backup, and records that a restore is in progress.
final class BackupRows {
    /// Tables with data of running processes, which is useless after a restore: uploads and deletions in
    /// progress, leases, stored answers, the list of nodes, and messages between nodes.
    private static final Set<String> LOCAL = Set.of(
            "upload",
            "object_deletion",
            "stray",
            "task_run",
            "idempotent_request",
            "node",
            "announcement",
            "flyway_schema_history");

    /// The full-text index, with the tables that SQLite makes for it. Each engine has its own kind, and builds
    /// it from the other tables.
    private static final String INDEX = "hub_text";

    /// The name of the setting that exists while a restore is unfinished.
    static final String RESTORING = "restore-unfinished";

    /// Counts the organizations, which a restore must not overwrite; 0 if a restore is unfinished. Other tables
    /// may contain rows that the program made at a start.
    static final String IN_THE_WAY = "SELECT count(*) FROM organization WHERE NOT EXISTS (SELECT 1 FROM setting"
            + " WHERE name = '" + RESTORING + "')";

    private BackupRows() {}

    /// Returns the tables of a backup, each after the tables that it refers to.
    static List<TableInfo> tables(Tx tx) {
        return TableCopy.all(tx).stream().filter(BackupRows::isKept).toList();
    }

    static boolean isKept(TableInfo table) {
        return !LOCAL.contains(table.name()) && !table.name().startsWith(INDEX);
    }

    /// Returns the count of [#IN_THE_WAY].
    static long inTheWay(Tx tx) {
        return tx.number(IN_THE_WAY);
    }

    static boolean isRestoring(Tx tx) {
        return StoredFacts.find(tx, RESTORING).isPresent();
    }

    static void beginRestoring(Tx tx, String from) {
        StoredFacts.note(tx, RESTORING, from);
    }

    static void endRestoring(Tx tx) {
        StoredFacts.forget(tx, RESTORING);
    }

    /// Returns the current object with a digest's bytes; the digest is in the form of the database.
    static Optional<String> object(Tx tx, String digest) {
        return tx.find(
                "SELECT object_id FROM blob WHERE digest = :digest AND object_id IS NOT NULL",
                String.class,
                "digest",
                digest);
    }
}
