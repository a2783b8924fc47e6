package dev.sheaf.server.maintenance.backup;

import dev.sheaf.server.auth.secret.MasterSecret;
import java.util.List;
import java.util.Optional;

/// What a backup says of itself: `backup.json`, which is written last.
///
/// @param format of the backup's files, counted up where it changes
/// @param schema version of the tables
/// @param sheaf version of the program that wrote it
/// @param engine of the database that it was taken from, for people
/// @param takenAt when the state of the tables was that which is in here (RFC 3339)
/// @param tables a file each, in an order in which they can be filled
/// @param objects the list of what is kept in the shared folder of objects
public record BackupManifest(
        int format,
        String schema,
        String sheaf,
        String engine,
        String takenAt,
        List<TableFile> tables,
        KeptObjects objects) {
    static final int FORMAT = 1;
    static final String NAME = "backup.json";
    /// Beside it: what proves that a node of the installation wrote it, and so each hash in it.
    static final String SEAL = "backup.json.seal";

    static String seal(MasterSecret master, byte[] text) {
        return master.seal("backup/1", text);
    }

    public BackupManifest {
        tables = List.copyOf(tables);
    }

    /// A file, by which it can be told from a damaged one.
    ///
    /// @param name below the backup's folder
    /// @param bytes its length
    /// @param sha256 in hex
    public record ListedFile(String name, long bytes, String sha256) {}

    /// The rows of a table.
    public record TableFile(String table, long rows, ListedFile file) {}

    /// The content that lies in the blob store.
    ///
    /// @param count how many digests are kept
    /// @param bytes how many bytes these have
    /// @param damaged how many the store could not give whole; they are not kept
    public record KeptObjects(long count, long bytes, long damaged, ListedFile file) {}

    Optional<TableFile> table(String name) {
        return tables.stream().filter(table -> table.table().equals(name)).findFirst();
    }
}
