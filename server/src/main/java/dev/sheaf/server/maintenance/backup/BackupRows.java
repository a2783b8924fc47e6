package dev.sheaf.server.maintenance.backup;

import dev.sheaf.server.db.Facts;
import dev.sheaf.server.db.Table;
import dev.sheaf.server.db.Tables;
import dev.sheaf.server.db.Tx;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What a backup has, and what a restore notes down of itself.
final class BackupRows {
    /// What belongs to the running processes, and means nothing to others: bytes that are on their way in or out of
    /// the blob store, who works on what, answers that a client may ask for again, what was taken of rate limits,
    /// and what nodes tell each other.
    private static final Set<String> LOCAL = Set.of(
            "upload",
            "object_deletion",
            "stray",
            "task_run",
            "idempotent_request",
            "rate_use",
            "announcement",
            "flyway_schema_history");

    /// The full-text index, with the tables that SQLite makes for it: each engine has its own kind, and it is made
    /// again from the rest.
    private static final String INDEX = "hub_text";

    /// There while a restore is not at its end.
    static final String RESTORING = "restore-unfinished";

    /// Counts what no restore may touch: organizations, where no restore is under way. A program that was about to
    /// serve may have made rows of its own.
    static final String IN_THE_WAY = "SELECT count(*) FROM organization WHERE NOT EXISTS (SELECT 1 FROM setting"
            + " WHERE name = '" + RESTORING + "')";

    private BackupRows() {}

    /// The tables that a backup has, those before others that these point to.
    static List<Table> tables(Tx tx) {
        return Tables.all(tx).stream().filter(BackupRows::isKept).toList();
    }

    static boolean isKept(Table table) {
        return !LOCAL.contains(table.name()) && !table.name().startsWith(INDEX);
    }

    /// What [#IN_THE_WAY] counts.
    static long inTheWay(Tx tx) {
        return tx.number(IN_THE_WAY);
    }

    static boolean isRestoring(Tx tx) {
        return Facts.find(tx, RESTORING).isPresent();
    }

    static void beginRestoring(Tx tx, String from) {
        Facts.note(tx, RESTORING, from);
    }

    static void endRestoring(Tx tx) {
        Facts.forget(tx, RESTORING);
    }

    /// The object that holds a digest's bytes now, as the database spells it.
    static Optional<String> object(Tx tx, String digest) {
        return tx.find(
                "SELECT object_id FROM blob WHERE digest = :digest AND object_id IS NOT NULL",
                String.class,
                "digest",
                digest);
    }
}
